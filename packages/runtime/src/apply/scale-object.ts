import { describeRef, type KubeObject } from "@chaski/kube";
import type { EntryResult } from "../controller/controller.ts";
import type { ScaleEntry } from "../decision/index.ts";
import { cachedAt, failed, reasonOf, type Site } from "./site.ts";
import { standingOf } from "./standing.ts";

/** The object's status moves its version all the time; its replicas seldom. */
const ATTEMPTS_MAX = 4;

/** Sets replicas, if they still are what was decided on. */
export async function scaleObject(site: Site, entry: ScaleEntry, decidedOn: number | undefined): Promise<EntryResult> {
  const { ref, replicas } = entry;
  const cached = cachedAt(site, ref);
  if (!cached) return failed(ref, "NotFound", `${describeRef(ref)} is not there to be scaled`);
  const standing = standingOf(site, ref, cached);
  if (standing.is === "ignored") return { ref, outcome: "ignored", message: standing.message };
  if (standing.is === "foreign") return { ref, outcome: "foreign", message: standing.message };
  if (replicasOf(cached) === replicas) return { ref, outcome: "unchanged" };
  return await scaleLive(site, entry, decidedOn);
}

async function scaleLive(site: Site, entry: ScaleEntry, decidedOn: number | undefined): Promise<EntryResult> {
  const { ref, replicas } = entry;
  for (let attempt = 1; ; attempt++) {
    const live = await site.cluster.client.of(ref.kind).getScale(ref, { signal: site.signal });
    const current = live.spec.replicas ?? 0;
    if (current === replicas) return { ref, outcome: "unchanged" };
    if (decidedOn !== undefined && current !== decidedOn)
      return failed(ref, "Conflict", `${describeRef(ref)} was scaled to ${current} since it was decided on`);
    try {
      await site.writer.scale(ref, live, replicas, site.manager);
      return { ref, outcome: "written" };
    } catch (error) {
      if (reasonOf(error) !== "Conflict" || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

export function replicasOf(object: Readonly<KubeObject>): number | undefined {
  const { spec } = object as { readonly spec?: { readonly replicas?: number } };
  return spec?.replicas;
}
