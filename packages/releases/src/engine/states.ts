// The states of an incarnation (§5.5, §17.1) and the groups that rules speak of.

export const states = [
  "created",
  "deploying",
  "deployed",
  "pendingtest",
  "testing",
  "tested",
  "canarying",
  "canaried",
  "canaryingdatadog",
  "canarieddatadog",
  "pendingrelease",
  "releasing",
  "released",
  "retiring",
  "retired",
  "deleting",
  "deleted",
  "failing",
  "failed",
  "timingout",
] as const;

export type State = (typeof states)[number];

/** As it is stored, in any case; undefined for a word that is no state (D-09). An empty one is a new entry. */
export function readState(stored: unknown): State | undefined {
  if (stored === "" || stored === undefined || stored === null) return "created";
  const name = typeof stored === "string" ? stored.toLowerCase() : "";
  return states.find((state) => state === name);
}

const BEFORE_TRAFFIC = ["created", "deploying", "deployed", "pendingtest", "testing", "tested"] as const;
const CANARYING = ["canarying", "canaryingdatadog"] as const;
const CANARIED = ["canaried", "canarieddatadog"] as const;
const PARKED = [...CANARIED, "pendingrelease"] as const;
const RELEASING = ["releasing", "released"] as const;
const APPLIED = [...BEFORE_TRAFFIC, ...CANARYING, ...PARKED, ...RELEASING].filter((state) => state !== "created");

function group(members: readonly State[]): (state: State | undefined) => boolean {
  const set = new Set<State | undefined>(members);
  return (state) => set.has(state);
}

/** Its values follow the spec until traffic is decided on (§5.1, D-41). */
export const isBeforeTraffic = group(BEFORE_TRAFFIC);
export const isCanarying = group(CANARYING);
export const isCanaried = group(CANARIED);
/** Waits without pods and without a tag route (§5.6). */
export const isParked = group(PARKED);
export const isReleasing = group(RELEASING);
/** Leaves: may keep what traffic it has, never gets more. */
export const isLeaving = group(["failing", "retiring", "deleting"]);
export const isAlertable = group([...CANARYING, ...PARKED, ...RELEASING]);

/** States in which the Revision's objects are applied (§7.10). */
export const isApplied = group(APPLIED);
/** Has a subset and, if it can be routed, a tag route (§5.2). */
export const isInDeployedSet = group(APPLIED.filter((state) => state !== "deploying"));
