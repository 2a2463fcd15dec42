// What is accepted, and still worth a word.
import {
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  labelValueProblems,
  parseDuration,
  parseQuantity,
} from "@chaski/kube";
import type { Problem } from "../../schema/problem.ts";
import type { RevisionSpec } from "../revision.ts";
import type { RevisionTarget } from "../target.ts";

export function specWarnings({ app, targets }: RevisionSpec): readonly Problem[] {
  const tag = app?.tag ?? "";
  const tagProblems = [...dns1123SubdomainProblems(tag), ...labelValueProblems(tag)];
  return [
    ...named("spec.app.tag", "objects are named after it", tagProblems),
    ...(targets ?? []).flatMap((target, index) => {
      const namespace = `${app?.name}-${target.name}`;
      const path = `spec.targets[${index}]`;
      return [
        ...named(`${path}.name`, `the namespace ${namespace} can't be made`, dns1123LabelProblems(namespace)),
        ...targetWarnings(target, path),
      ];
    }),
  ];
}

function named(path: string, what: string, [problem]: readonly string[]): readonly Problem[] {
  return problem === undefined ? [] : [{ path, message: `${what}: ${problem}` }];
}

function targetWarnings({ alertRules, release, scale }: RevisionTarget, path: string): readonly Problem[] {
  const { geometricScaling, linearScaling } = release ?? {};
  return [
    ...(alertRules && alertRules.length > 0
      ? [{ path: `${path}.alertRules`, message: "are legacy: use serviceLevelObjectives" }]
      : []),
    ...unreadableDelay(geometricScaling?.delay, `${path}.release.geometricScaling.delay`),
    ...unreadableDelay(linearScaling?.delay, `${path}.release.linearScaling.delay`),
    ...unreadableRate(scale?.targetRequestsRate, `${path}.scale.targetRequestsRate`),
  ];
}

function unreadableDelay(text: string | undefined, path: string): readonly Problem[] {
  if (text === undefined || parseDuration(text).ok) return [];
  return [{ path, message: `${JSON.stringify(text)} is no duration and counts as not given: write one such as 10s` }];
}

function unreadableRate(text: string | null | undefined, path: string): readonly Problem[] {
  if (text === undefined || text === null || parseQuantity(text).ok) return [];
  return [
    { path, message: `${JSON.stringify(text)} is no quantity and counts as not given: write one such as 5 or 2500m` },
  ];
}
