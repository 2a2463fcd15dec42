import { randomUUID } from "node:crypto";
import type { Kind } from "@chaski/kube";
import { type ApplierOptions, LOCAL_CLUSTER } from "@chaski/runtime";
import { type ClusterAccess, type SharedPlane, sharedControlPlane, until } from "@chaski/test/kube";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { connectCluster, installVoyages, Stage, type StageCluster } from "./stage.ts";

export interface StageInUse {
  readonly stage: Stage;
  readonly plane: ClusterAccess;
  /** What the server answered the applier so far; lists and watches are the caches'. */
  requests(): Promise<readonly string[]>;
}

/** A namespace with an owner for each test, on a control plane that all suites share. */
export function useStage(on: SharedPlane, kinds: readonly Kind[], options: Partial<ApplierOptions> = {}): StageInUse {
  const user = `applier-${randomUUID().slice(0, 8)}`;
  let plane: ClusterAccess;
  let cluster: StageCluster | undefined;
  let stage: Stage;

  beforeAll(async () => {
    plane = await sharedControlPlane(on);
    await installVoyages(plane);
    const applier = await plane.addUser(user, ["system:masters"]);
    const users = { applier: applier.kubeconfig, witness: plane.admin.kubeconfig };
    cluster = await connectCluster(LOCAL_CLUSTER, users, kinds);
  });
  afterAll(async () => {
    await cluster?.stop();
  });
  beforeEach(async () => {
    if (!cluster) throw new Error("the cluster is not connected");
    stage = new Stage(cluster, await plane.createNamespace("applier"), { kinds, ...options });
    await stage.createOwner();
  });

  async function requests(): Promise<readonly string[]> {
    const marker = `/version?marker=${randomUUID()}`;
    await cluster?.client.raw({ method: "GET", path: marker });
    const events = await until(
      async () => {
        const logged = await plane.auditEvents({ user });
        return logged.some(({ requestURI }) => requestURI === marker) ? logged : undefined;
      },
      { what: "the audit log has come so far" },
    );
    return events
      .filter(({ verb, requestURI }) => !["list", "watch"].includes(verb) && !requestURI.startsWith("/version"))
      .map(({ verb, requestURI }) => `${verb} ${requestURI}`);
  }

  return {
    get stage() {
      return stage;
    },
    get plane() {
      return plane;
    },
    requests,
  };
}
