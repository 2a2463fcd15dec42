import { type Cluster, releaseKeys } from "@chaski/api";
import { describe, expect, test } from "vitest";
import { aCluster } from "../../test/worlds.ts";
import { type ClusterReportWorld, decideCluster } from "./decide-cluster.ts";

const NOW_MS = Date.parse("2026-11-16T00:00:00Z");
const OBSERVED = { state: "observed" } as const;
const { cluster: EAST } = aCluster("east");
const FINALIZED = meta({ finalizers: [releaseKeys.finalizers.cluster] });

function meta(metadata: Partial<Cluster["metadata"]>, cluster: Cluster = EAST): Cluster {
  return { ...cluster, metadata: { ...cluster.metadata, resourceVersion: "7", ...metadata } };
}

function disabled(cluster: Cluster): Cluster {
  return { ...cluster, spec: { ...cluster.spec, enabled: false } };
}

function decided(world: Partial<ClusterReportWorld>) {
  return decideCluster({ nowMs: NOW_MS, cluster: FINALIZED, ...world });
}

/** `Ready True Observed: the message`, one per condition. */
function conditionsOf(world: Partial<ClusterReportWorld>): readonly string[] {
  const { conditions = [] } = decided(world).status ?? {};
  return conditions.map(({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`);
}

describe("whether a Cluster is ready", () => {
  const cases: readonly {
    readonly what: string;
    readonly world: Partial<ClusterReportWorld>;
    readonly says: string;
  }[] = [
    {
      what: "one that answers is",
      world: { contact: OBSERVED, version: "1.35" },
      says: "True Observed: it answers, and what it has is known",
    },
    {
      what: "one that was just written is not known yet",
      world: {},
      says: "Unknown Connecting: it is being connected",
    },
    {
      what: "one that is disabled is not, whatever it answers",
      world: { cluster: disabled(FINALIZED), contact: OBSERVED },
      says: "False Disabled: releases do not use it",
    },
    {
      what: "one that is silent for a while is not known",
      world: { contact: { state: "stale", lastHeardMs: NOW_MS - 20_000, cause: "its last answer is some time ago" } },
      says: "Unknown Stale: its last answer is some time ago",
    },
    {
      what: "one that can't be reached is not, and says why",
      world: { contact: { state: "unreachable", cause: "connect ECONNREFUSED 10.0.0.1:443" } },
      says: "False Unreachable: connect ECONNREFUSED 10.0.0.1:443",
    },
    {
      what: "one that can't be reached and nobody knows why is not either",
      world: { contact: { state: "unreachable" } },
      says: "False Unreachable: nothing is heard from it",
    },
    {
      what: "one whose definition makes no sense is not, and says what is wrong with it",
      world: { contact: { state: "unreachable" }, problem: "Secret default/east is missing" },
      says: "False Unusable: Secret default/east is missing",
    },
  ];
  test.each(cases)("$what", ({ world, says }) => {
    expect(conditionsOf(world)).toEqual([`Ready ${says}`]);
  });
});

describe("what else is told, and only where it holds", () => {
  const quarantined = (reason: string): Cluster =>
    meta({ annotations: { [releaseKeys.annotations.quarantine]: reason } }, FINALIZED);

  test("new credentials that do not work, while the old ones do", () => {
    expect(conditionsOf({ contact: OBSERVED, problem: "the server says: Unauthorized" })).toEqual([
      "Ready True Observed: it answers, and what it has is known",
      "CredentialsRejected True OldOnesInUse: the server says: Unauthorized",
    ]);
  });

  test.each([
    { given: "being moved", says: "being moved" },
    { given: "", says: "no reason given" },
  ])("a quarantine with the reason '$given'", ({ given, says }) => {
    const contact = { state: "unreachable", cause: "gone" } as const;
    expect(conditionsOf({ cluster: quarantined(given), contact })).toContain(
      `Quarantined True Annotated: it holds no release back while it can't be observed: ${says}`,
    );
  });

  test("what holds no more is not told any more", () => {
    const cluster = quarantined("being moved");
    const { status } = decided({ cluster, contact: OBSERVED, problem: "Unauthorized" });
    expect(status?.conditions?.map(({ type }) => type)).toEqual(["Ready", "Quarantined", "CredentialsRejected"]);
    expect(conditionsOf({ cluster: { ...FINALIZED, ...(status && { status }) }, contact: OBSERVED })).toHaveLength(1);
  });
});

describe("§4.4: the version and readiness of the API", () => {
  test.each([
    {
      what: "one that answers",
      world: { contact: OBSERVED, version: "1.35" },
      kubernetes: { version: "1.35", ready: true },
    },
    {
      what: "one that does not answer keeps the version that it had",
      world: { contact: { state: "unreachable" }, version: "1.35" } as const,
      kubernetes: { version: "1.35", ready: false },
    },
    {
      what: "one that a new process has not asked yet keeps the version that was told",
      world: { contact: OBSERVED, cluster: { ...FINALIZED, status: { kubernetes: { version: "1.34", ready: true } } } },
      kubernetes: { version: "1.34", ready: true },
    },
    { what: "one that never answered", world: {}, kubernetes: { version: "", ready: false } },
    { what: "one that is disabled has none", world: { cluster: disabled(FINALIZED) }, kubernetes: undefined },
  ])("$what", ({ world, kubernetes }) => {
    expect(decided(world).status?.kubernetes).toEqual(kubernetes);
  });
});

describe("time", () => {
  const before = decided({ contact: OBSERVED }).status ?? {};
  const later = NOW_MS + 60_000;
  const transition = (world: Partial<ClusterReportWorld>): string | undefined =>
    decided({ cluster: { ...FINALIZED, status: before }, nowMs: later, ...world }).status?.conditions?.[0]
      ?.lastTransitionTime;

  test("a condition that stays keeps its time: a pass at rest writes nothing", () => {
    expect(decided({ cluster: { ...FINALIZED, status: before }, nowMs: later, contact: OBSERVED }).status).toEqual(
      before,
    );
  });

  test("a condition that turns gets a new one", () => {
    expect(transition({ contact: { state: "unreachable" } })).toBe("2026-11-16T00:01:00Z");
  });
});

describe("events", () => {
  const withReady = (status: "True" | "False", reason: string): Cluster => ({
    ...FINALIZED,
    status: {
      conditions: [{ type: "Ready", status, reason, message: "", lastTransitionTime: "2026-11-16T00:00:00Z" }],
    },
  });

  test.each([
    { what: "a cluster that joins", world: { contact: OBSERVED }, events: ["Normal ClusterObserved"] },
    {
      what: "a cluster that is still there",
      world: { cluster: withReady("True", "Observed"), contact: OBSERVED },
      events: [],
    },
    {
      what: "a cluster that is lost",
      world: { cluster: withReady("True", "Observed"), contact: { state: "unreachable" } } as const,
      events: ["Warning ClusterUnreachable"],
    },
    {
      what: "a cluster that returns",
      world: { cluster: withReady("False", "Unreachable"), contact: OBSERVED },
      events: ["Normal ClusterObserved"],
    },
    {
      what: "a cluster whose Secret goes while it can't be reached: another cause is news",
      world: {
        cluster: withReady("False", "Unreachable"),
        contact: { state: "unreachable" },
        problem: "no Secret",
      } as const,
      events: ["Warning ClusterUnusable"],
    },
    {
      what: "a cluster that somebody disables",
      world: { cluster: disabled(withReady("True", "Observed")), contact: OBSERVED },
      events: ["Normal ClusterDisabled"],
    },
    {
      what: "credentials that are refused",
      world: { cluster: withReady("True", "Observed"), contact: OBSERVED, problem: "Unauthorized" },
      events: ["Warning ClusterOldOnesInUse"],
    },
  ])("$what: $events", ({ world, events }) => {
    expect(decided(world).events.map(({ type, reason }) => `${type} ${reason}`)).toEqual(events);
  });
});

describe("the finalizer", () => {
  const foreign = "example.com/mine";
  const ours = releaseKeys.finalizers.cluster;
  const going = { deletionTimestamp: "2026-11-16T00:00:00Z" };

  test.each([
    { what: "comes with the first pass", cluster: meta({}), wanted: [ours] },
    { what: "comes beside another's", cluster: meta({ finalizers: [foreign] }), wanted: [foreign, ours] },
    { what: "is not written twice", cluster: FINALIZED, wanted: undefined },
    { what: "goes with the Cluster", cluster: meta(going, FINALIZED), wanted: [] },
    {
      what: "leaves another's in place when it goes",
      cluster: meta({ ...going, finalizers: [ours, foreign] }),
      wanted: [foreign],
    },
    {
      what: "does not come back to a Cluster that goes",
      cluster: meta({ ...going, finalizers: [foreign] }),
      wanted: undefined,
    },
  ])("$what", ({ cluster, wanted }) => {
    const { patches, desired } = decided({ cluster, contact: OBSERVED });
    const written = patches.map(({ patch }) => patch);
    expect(written).toEqual(wanted === undefined ? [] : [{ metadata: { finalizers: wanted } }]);
    expect(patches.every(({ resourceVersion }) => resourceVersion === "7")).toBe(true);
    expect(desired).toEqual([]);
  });

  test("a Cluster that goes gets no report any more", () => {
    const { status, events } = decided({ cluster: meta(going, FINALIZED), contact: OBSERVED });
    expect([status, events]).toEqual([undefined, []]);
  });
});
