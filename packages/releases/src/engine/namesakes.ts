// Two apps can name one namespace: `a-b` with target `c`, and `a` with target `b-c` (D-85).
import type { ReleaseManager } from "@chaski/api";
import type { ConditionClaim } from "@chaski/kube";
import type { Stall } from "@chaski/runtime/decision";
import type { ReleaseWorld } from "./world.ts";

/** The older has it. */
export function olderNamesake({ releaseManager, namesakes }: ReleaseWorld): ReleaseManager | undefined {
  return namesakes.find((other) => isOlder(other, releaseManager));
}

function isOlder({ metadata: a }: ReleaseManager, { metadata: b }: ReleaseManager): boolean {
  const [aTime, bTime] = [a.creationTimestamp ?? "", b.creationTimestamp ?? ""];
  return aTime === bTime ? (a.uid ?? a.name) < (b.uid ?? b.name) : aTime < bTime;
}

export function namesakeStall(
  { releaseManager: { spec } }: ReleaseWorld,
  { metadata, spec: other }: ReleaseManager,
): Stall {
  const message = `namespace ${spec.app}-${spec.target} belongs to ReleaseManager ${metadata.name} (app ${other.app}, target ${other.target}), which is older: rename the app or the target`;
  return { reason: "NamespaceContested", message };
}

/** The older one goes on, and says who waits for its name. */
export function namesakeClaims({ releaseManager: { spec }, namesakes }: ReleaseWorld): readonly ConditionClaim[] {
  if (namesakes.length === 0) return [];
  const others = namesakes.map(
    ({ metadata, spec: { app, target } }) =>
      `ReleaseManager ${metadata.namespace}/${metadata.name} (app ${app}, target ${target})`,
  );
  const message = `namespace ${spec.app}-${spec.target} is wanted by ${others.join(" and ")} too, which is younger and waits`;
  return [{ type: "NamespaceContested", status: "True", reason: "YoungerNamesake", message }];
}
