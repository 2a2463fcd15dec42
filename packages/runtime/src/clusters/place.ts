import { LOCAL_CLUSTER } from "../decision/decision.ts";

/** Where a controller reads or writes a kind: `fleet` is the delivery cluster and the remote ones together. */
export type Place = "delivery" | "fleet" | "remotes";

export function isAt(place: Place, cluster: string): boolean {
  if (place === "fleet") return true;
  return (place === "delivery") === (cluster === LOCAL_CLUSTER);
}
