// Which configs of the delivery cluster go with a revision (§2.1 configSelector).
import { matchesLabels, readLabelSelector } from "@chaski/kube";
import type { Incarnation } from "./incarnation.ts";
import type { ConfigPlan } from "../plan/plan.ts";
import type { ConfigSource } from "./world.ts";

const ORDER = ["Secret", "ConfigMap", "ExternalSecret"];

/** In the order of `envFrom`. An absent selector chooses nothing, an empty one everything. */
export function configsOf({ settings }: Incarnation, configs: readonly ConfigSource[]): readonly ConfigSource[] {
  const given = settings?.target.configSelector;
  if (given === undefined || given === null) return [];
  const selector = readLabelSelector(given);
  if (!selector.ok) return [];
  return configs
    .filter(({ labels }) => matchesLabels(selector.value, labels))
    .toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || (a.name < b.name ? -1 : 1));
}

/** Each once, with the newest tag that chooses it. */
export function sharedConfigs(
  applied: readonly { readonly tag: string; readonly configs: readonly ConfigSource[] }[],
): readonly ConfigPlan[] {
  const chosen = new Map<string, ConfigPlan>();
  for (const { tag, configs } of applied) {
    for (const source of configs) {
      const key = `${source.kind}/${source.name}`;
      if (!chosen.has(key)) chosen.set(key, { source, tag });
    }
  }
  return [...chosen.values()];
}
