// `clusters sweep`: what is left on the clusters of ReleaseManagers that no longer exist.
import { ReleaseManager } from "@chaski/api/kinds";
import { apiVersionOf, keyOf, type Kind, type KubeObject, Namespace, resourceName } from "@chaski/kube";
import { coreKinds, optionalKinds } from "@chaski/operator";
import { type Client, MADE_ANNOTATION, MANAGED_BY_LABEL, ownerOf } from "@chaski/runtime";
import type { Session } from "../cluster/cluster-options.ts";
import { CliError } from "../usage/exit.ts";
import { type Asked, askClusters } from "../cluster/target-clusters.ts";
import { unlessMissing } from "../cluster/unless-missing.ts";
import type { SweepOptions } from "./clusters.ts";

const CONTROLLER = "releases.release-manager";

interface Leftover {
  readonly kind: Kind;
  readonly object: KubeObject;
  readonly owner: string;
}

export async function sweep(session: Session, options: SweepOptions): Promise<void> {
  const releases = await session.client.of(ReleaseManager).list({});
  const present = new Set(releases.items.map(({ metadata }) => keyOf(metadata)));
  const isLeft = (object: KubeObject): string | undefined => {
    const owner = ownerOf(object);
    const isOurs = owner?.delivery === options.delivery && owner.controller === CONTROLLER;
    return isOurs && !present.has(owner.key) ? owner.key : undefined;
  };
  const asked = await askClusters(session, async (client) => {
    const left = await leftovers(client, options.delivery, isLeft);
    if (options.yes) for (const each of left) await remove(client, each);
    return left;
  });
  if (options.output === "json") console.log(JSON.stringify(asked.map(asData), null, 2));
  else for (const text of asked.flatMap((each) => describe(each, options.yes))) console.log(text);
  const silent = asked.filter((each) => "problem" in each).map(({ name }) => name);
  if (silent.length > 0)
    throw new CliError(`${silent.join(", ")} could not be looked at: sweep again when they can be reached`);
}

/** Namespaces last: what lies in one goes before it. */
async function leftovers(
  client: Client,
  delivery: string,
  isLeft: (object: KubeObject) => string | undefined,
): Promise<readonly Leftover[]> {
  const lists = await Promise.all(
    [...coreKinds, ...optionalKinds].map(async (kind) => {
      const list = await unlessMissing(client.of(kind).list({ labelSelector: `${MANAGED_BY_LABEL}=${delivery}` }));
      // Items of a list carry no kind of their own.
      return (list?.items ?? []).flatMap((item): Leftover[] => {
        const object = { ...item, apiVersion: apiVersionOf(kind), kind: kind.kind };
        const owner = isLeft(object);
        return owner === undefined || isForeignNamespace(kind, object) ? [] : [{ kind, object, owner }];
      });
    }),
  );
  const isNamespace = ({ kind }: Leftover): number => Number(resourceName(kind) === resourceName(Namespace));
  return lists.flat().toSorted((a, b) => isNamespace(a) - isNamespace(b));
}

/** One that somebody else made, and that we only used. */
function isForeignNamespace(kind: Kind, { metadata }: KubeObject): boolean {
  return kind.kind === "Namespace" && metadata.annotations?.[MADE_ANNOTATION] === undefined;
}

async function remove(client: Client, { kind, object }: Leftover): Promise<void> {
  const { uid } = object.metadata;
  const options = { propagation: "Background", ...(uid === undefined ? {} : { preconditions: { uid } }) } as const;
  await unlessMissing(client.of(kind).delete(object.metadata, options));
}

function describe(asked: Asked<readonly Leftover[]>, isRemoved: boolean): readonly string[] {
  if ("problem" in asked) return [`${asked.name}: ${asked.problem}`];
  if (asked.answer.length === 0) return [`${asked.name}: nothing is left behind`];
  const verb = isRemoved ? "removed" : "left behind";
  const lines = asked.answer.map(({ kind, object, owner }) => `  ${kind.kind} ${keyOf(object.metadata)} (of ${owner})`);
  const next = isRemoved ? [] : ["  → `chaski clusters sweep --yes` removes them"];
  return [`${asked.name}: ${asked.answer.length} objects ${verb}`, ...lines, ...next];
}

function asData(asked: Asked<readonly Leftover[]>): unknown {
  if ("problem" in asked) return asked;
  const objects = asked.answer.map(({ kind, object, owner }) => ({
    kind: kind.kind,
    key: keyOf(object.metadata),
    owner,
  }));
  return { cluster: asked.name, objects };
}
