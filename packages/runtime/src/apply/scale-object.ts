import { describeRef, type KubeObject } from "@chaski/kube";
import type { EntryResult, ScaleEntry } from "../decision/index.ts";
import { cachedAt, failed, reasonOf, type Site } from "./site.ts";
import { standingOf } from "./standing.ts";
import type { ScaledFrom } from "./writer.ts";

/** Sets replicas, if they still are what was decided on. */
export async function scaleObject(site: Site, entry: ScaleEntry, decidedOn: number | undefined): Promise<EntryResult> {
  const { ref, replicas } = entry;
  const cached = cachedAt(site, ref);
  if (!cached) return failed(ref, "NotFound", `${describeRef(ref)} is not there to be scaled`);
  const standing = standingOf(site, ref, cached);
  if (standing.is === "ignored") return { ref, outcome: "ignored", message: standing.message };
  if (standing.is === "foreign") return { ref, outcome: "foreign", message: standing.message };
  if (replicasOf(cached) === replicas) return { ref, outcome: "unchanged" };
  return await scaleFrom(site, entry, { replicas: decidedOn ?? replicasOf(cached) ?? 0, uid: cached.metadata.uid });
}

/** One request: the server itself compares, so that it need not be asked before. */
async function scaleFrom(site: Site, entry: ScaleEntry, from: ScaledFrom): Promise<EntryResult> {
  const { ref, replicas } = entry;
  try {
    await site.writer.scale(ref, from, replicas, site.manager);
    return { ref, outcome: "written" };
  } catch (error) {
    if (reasonOf(error) !== "Invalid") throw error;
    const { spec } = await site.cluster.client.of(ref.kind).getScale(ref, { signal: site.signal });
    const current = spec.replicas ?? 0;
    if (current === replicas) return { ref, outcome: "unchanged" };
    if (current === from.replicas) throw error;
    return failed(ref, "Conflict", `${describeRef(ref)} was scaled to ${current} since it was decided on`);
  }
}

export function replicasOf(object: Readonly<KubeObject>): number | undefined {
  const { spec } = object as { readonly spec?: { readonly replicas?: number } };
  return spec?.replicas;
}
