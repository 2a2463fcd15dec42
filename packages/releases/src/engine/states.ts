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

function group(...members: readonly State[]): (state: State | undefined) => boolean {
  const set = new Set<State | undefined>(members);
  return (state) => set.has(state);
}

export const isCanarying = group("canarying", "canaryingdatadog");
export const isCanaried = group("canaried", "canarieddatadog");
export const isReleasing = group("releasing", "released");
/** Leaves: may keep what traffic it has, never gets more. */
export const isLeaving = group("failing", "retiring", "deleting");

const DEPLOYED: readonly State[] = [
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
];

/** Has a subset and, if it can be routed, a tag route (§5.2). */
export const isInDeployedSet = group(...DEPLOYED);

/** States in which the Revision's objects are applied (§7.10). */
export const isApplied = group("deploying", ...DEPLOYED);

export const isAlertable = group(
  "canarying",
  "canaryingdatadog",
  "canaried",
  "canarieddatadog",
  "pendingrelease",
  "releasing",
  "released",
);

/** Waits without pods and without a tag route (§5.6). */
export const isParked = group("canaried", "canarieddatadog", "pendingrelease");

/** The values that follow the spec until traffic is decided on (§5.1, D-41). */
export const followsSpec = group("created", "deploying", "deployed", "pendingtest", "testing", "tested");
