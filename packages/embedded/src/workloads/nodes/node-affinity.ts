// Which nodes a pod may go to whatever room they have. Of affinities only what a nodeSelector says is known.
import type { Node, Pod, Taint } from "@chaski/kube";

export function isSelectedBy({ metadata }: Node, { spec }: Pod): boolean {
  return Object.entries(spec?.nodeSelector ?? {}).every(([name, value]) => metadata.labels?.[name] === value);
}

export function untoleratedTaint({ spec: node }: Node, { spec: pod }: Pod): Taint | undefined {
  const tolerations = pod?.tolerations ?? [];
  return node?.taints?.find(
    ({ key, value = "", effect }) =>
      effect !== "PreferNoSchedule" &&
      !tolerations.some(
        (toleration) =>
          (!toleration.effect || toleration.effect === effect) &&
          (!toleration.key || toleration.key === key) &&
          (toleration.operator === "Exists" || (toleration.value ?? "") === value),
      ),
  );
}
