// Both of what Chaski releases: over fleets, and in one cluster. Either wing may be absent.
import { Canary, ReleaseManager } from "@chaski/api/kinds";
import { type Client, Forbidden, NotFound } from "@chaski/runtime/connect";

export interface Everything {
  readonly releases: readonly ReleaseManager[];
  readonly canaries: readonly Canary[];
  /** Those that can be had here. */
  readonly kinds: readonly (typeof ReleaseManager | typeof Canary)[];
}

export interface Where {
  readonly namespace?: string;
  readonly limit?: number;
}

/** Fails as a list of releases would where neither can be had. */
export async function listEverything(client: Client, where: Where): Promise<Everything> {
  const [releases, canaries] = await Promise.allSettled([
    client.of(ReleaseManager).list(where),
    client.of(Canary).list(where),
  ]);
  if (releases.status === "rejected" && (canaries.status === "rejected" || !isAbsent(releases.reason)))
    throw releases.reason;
  if (canaries.status === "rejected" && !isAbsent(canaries.reason)) throw canaries.reason;
  return {
    kinds: [
      ...(releases.status === "fulfilled" ? [ReleaseManager] : []),
      ...(canaries.status === "fulfilled" ? [Canary] : []),
    ],
    releases: releases.status === "fulfilled" ? releases.value.items : [],
    canaries: canaries.status === "fulfilled" ? canaries.value.items : [],
  };
}

/** Not installed here, or not for this user. */
function isAbsent(error: unknown): boolean {
  return error instanceof Forbidden || (error instanceof NotFound && error.isKindMissing);
}
