import { defined, type KubeObject, type Ref } from "@chaski/kube";
import type { PatchBody, PatchType } from "../client/client.ts";
import { isOutcomeUnknown } from "../client/errors.ts";
import type { ConnectedCluster } from "../clusters/cluster.ts";

export interface ServerSideApply {
  readonly object: KubeObject;
  readonly manager: string;
  /** False where a field of somebody else is a reason to stop. */
  readonly force: boolean;
  readonly isDryRun?: boolean;
  readonly subresource?: "status";
  /** Of the answer nothing but the metadata is wanted. */
  readonly isAnsweredBriefly?: boolean;
  /** What is there as far as we know; only observers compare. */
  readonly live?: Readonly<KubeObject> | undefined;
}

export interface Removal {
  readonly uid: string;
  readonly resourceVersion: string;
}

/** What a scale was decided on; the write is refused when it is not that any more. */
export interface ScaledFrom {
  readonly uid: string | undefined;
  readonly replicas: number;
}

/** The only way by which the applier changes a cluster. */
export interface Writer {
  apply(ref: Ref, request: ServerSideApply): Promise<KubeObject>;
  patch(ref: Ref, type: PatchType, patch: PatchBody, manager: string): Promise<KubeObject>;
  scale(ref: Ref, from: ScaledFrom, replicas: number, manager: string): Promise<void>;
  remove(ref: Ref, only: Removal): Promise<void>;
}

/** We are no longer the one who may write. */
class NoLongerLeaderError extends Error {
  readonly reason = "NoLongerLeader";

  constructor() {
    super("another replica may have taken over: nothing more is written");
  }
}

/** A server looks for unknown fields and for those given twice by parsing all once more, to warn of what we do not send. */
const UNCHECKED = { fieldValidation: "Ignore" } as const;

/** Writes while `mayWrite` says so, and lets the caches know what they have yet to show. */
export function clusterWriter(cluster: ConnectedCluster, mayWrite: () => boolean, signal?: AbortSignal): Writer {
  const { client, caches } = cluster;
  const write = async <T extends KubeObject>(ref: Ref, call: () => Promise<T>): Promise<T> => {
    if (!mayWrite()) throw new NoLongerLeaderError();
    try {
      const answer = await call();
      const { resourceVersion } = answer.metadata;
      if (resourceVersion !== undefined) caches.wrote(ref.kind, ref, { type: "answered", resourceVersion });
      return answer;
    } catch (error) {
      if (isOutcomeUnknown(error)) caches.wrote(ref.kind, ref, { type: "unknown" });
      throw error;
    }
  };
  const own = { ...UNCHECKED, ...(signal && { signal }) };
  return {
    async apply(ref, { object, manager, force, isDryRun = false, subresource, isAnsweredBriefly }) {
      const options = {
        ...own,
        fieldManager: manager,
        force,
        dryRun: isDryRun,
        ...defined({ subresource, isAnsweredBriefly }),
      };
      const call = (): Promise<KubeObject> => client.of(ref.kind).apply(object, options);
      return isDryRun ? await call() : await write(ref, call);
    },
    async patch(ref, type, patch, manager) {
      return await write(ref, () => client.of(ref.kind).patch(ref, type, patch, { ...own, fieldManager: manager }));
    },
    async scale(ref, from, replicas, manager) {
      const options = { ...own, fieldManager: manager, subresource: "scale" } as const;
      await write(ref, () => client.of(ref.kind).patch(ref, "json", scalePatch(from, replicas), options));
    },
    async remove(ref, only) {
      if (!mayWrite()) throw new NoLongerLeaderError();
      try {
        await client
          .of(ref.kind)
          .delete(ref, { ...(signal && { signal }), preconditions: only, propagation: "Background" });
        caches.wrote(ref.kind, ref, { type: "deleted", uid: only.uid });
      } catch (error) {
        if (isOutcomeUnknown(error)) caches.wrote(ref.kind, ref, { type: "unknown" });
        throw error;
      }
    },
  };
}

/** A Scale has no field for zero replicas. */
function scalePatch({ uid, replicas: before }: ScaledFrom, replicas: number): PatchBody {
  return [
    ...(uid === undefined ? [] : [{ op: "test", path: "/metadata/uid", value: uid }]),
    { op: "test", path: "/spec", value: before === 0 ? {} : { replicas: before } },
    { op: "replace", path: "/spec", value: { replicas } },
  ];
}
