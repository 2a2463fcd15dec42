import { type FaultInjector, type HttpPortFault, releaseKeys } from "@chaski/api";
import { describe, expect, test } from "vitest";
import { decideFaultInjector, type FaultedRelease, type FaultInjectorWorld } from "./decide-fault-injector.ts";

const ABORT = { abort: { httpStatus: 503, percentage: { value: 5 } } };
const DELAY = { delay: { fixedDelay: "2s", percentage: { value: 5 } } };
const LABELS: Readonly<Record<string, string>> = { [releaseKeys.labels.app]: "echo", [releaseKeys.labels.target]: "" };

function anInjector(name: string, faults: readonly HttpPortFault[] = [on(80)], labels = LABELS): FaultInjector {
  return {
    apiVersion: "picchu.medium.engineering/v1alpha1",
    kind: "FaultInjector",
    metadata: { name, namespace: "default", labels },
    spec: { httpPortFaults: [...faults] },
  };
}

function on(number: number, fault: HttpPortFault["fault"] = ABORT): HttpPortFault {
  return { portSelector: { number }, ...(fault && { fault }) };
}

const chaos = anInjector("chaos");
const OBSERVED = { state: "observed" } as const;
const east = { name: "default/east", contact: OBSERVED, routes: [{ port: 80, fault: ABORT }] };
const west = { ...east, name: "default/west" };
const echo: FaultedRelease = { name: "echo-production", injectors: [chaos], clusters: [east, west] };

function told(world: Partial<FaultInjectorWorld>): string {
  const { status } = decideFaultInjector({ nowMs: 0, injector: chaos, releases: [echo], ...world });
  const [condition] = status?.conditions ?? [];
  return `${condition?.type} ${condition?.status} ${condition?.reason}: ${condition?.message}`;
}

const cases: readonly { readonly what: string; readonly world: Partial<FaultInjectorWorld>; readonly says: string }[] =
  [
    {
      what: "every route of the port has the fault: it says where",
      world: {},
      says: "True InEffect: in effect: port 80 of echo-production on default/east, port 80 of echo-production on default/west",
    },
    {
      what: "one cluster's routes do not have it yet",
      world: { releases: [{ ...echo, clusters: [east, { ...west, routes: [{ port: 80 }] }] }] },
      says: "False NotYetWritten: the routes of port 80 of echo-production on default/west do not have it yet; in effect: port 80 of echo-production on default/east",
    },
    {
      what: "of two routes of the port one lacks it",
      world: { releases: [{ ...echo, clusters: [{ ...east, routes: [{ port: 80, fault: ABORT }, { port: 80 }] }] }] },
      says: "False NotYetWritten: the routes of port 80 of echo-production on default/east do not have it yet",
    },
    {
      what: "no port has that number",
      world: {
        injector: anInjector("chaos", [on(81)]),
        releases: [{ ...echo, injectors: [anInjector("chaos", [on(81)])], clusters: [east] }],
      },
      says: "False NoSuchPort: no route on default/east is for port 81 of echo-production",
    },
    {
      what: "nothing is routed yet",
      world: { releases: [{ ...echo, clusters: [{ name: "default/east", contact: OBSERVED }] }] },
      says: "False NoRoutes: there are no routes on default/east yet",
    },
    {
      what: "a cluster that is not observed may have it or not",
      world: {
        releases: [{ ...echo, clusters: [east, { ...west, contact: { state: "stale", cause: "no answer" } }] }],
      },
      says: "Unknown ClusterUnobserved: cluster default/west is stale: no answer; in effect: port 80 of echo-production on default/east",
    },
    {
      what: "a later injector has another fault for the port",
      world: { releases: [{ ...echo, injectors: [chaos, anInjector("drama", [on(80, DELAY)])] }] },
      says: "False Overridden: port 80 of echo-production has the later fault of FaultInjector drama",
    },
    {
      what: "an earlier injector has another fault for the port",
      world: { releases: [{ ...echo, injectors: [anInjector("bedlam", [on(80, DELAY)]), chaos], clusters: [east] }] },
      says: "True InEffect: in effect: port 80 of echo-production on default/east",
    },
    {
      what: "the fleet has no cluster",
      world: { releases: [{ ...echo, clusters: [] }] },
      says: "False NoCluster: echo-production has no cluster",
    },
    {
      what: "no release has the app",
      world: { releases: [] },
      says: "False NoRelease: there is no release of echo in this namespace",
    },
    {
      what: "no release has the target",
      world: {
        injector: anInjector("chaos", [on(80)], { ...LABELS, [releaseKeys.labels.target]: "staging" }),
        releases: [],
      },
      says: "False NoRelease: there is no release of echo in staging in this namespace",
    },
    {
      what: "the app's label is missing",
      world: { injector: anInjector("chaos", [on(80)], {}), releases: [] },
      says: "False Unbound: the label picchu.medium.engineering/app is missing: it says whose routes get the faults",
    },
    {
      what: "the target's label is missing, which is not the same as empty",
      world: { injector: anInjector("chaos", [on(80)], { [releaseKeys.labels.app]: "echo" }), releases: [] },
      says: "False Unbound: the label picchu.medium.engineering/target is missing (empty: every target): it says whose routes get the faults",
    },
    {
      what: "D-69: a fault without a port is ignored",
      world: { injector: anInjector("chaos", [{ portSelector: null, fault: ABORT }, on(80)]) },
      says: "False Incomplete: httpPortFaults[0] is ignored: it needs portSelector.number and fault; in effect: port 80 of echo-production on default/east, port 80 of echo-production on default/west",
    },
    {
      what: "there are no faults",
      world: { injector: anInjector("chaos", []) },
      says: "False NoFaults: spec.httpPortFaults is empty",
    },
  ];

test.each(cases)("$what", ({ world, says }) => {
  expect(told(world)).toBe(`InEffect ${says}`);
});

describe("an event", () => {
  const decided = (injector: FaultInjector, releases = [echo]) => decideFaultInjector({ nowMs: 0, injector, releases });

  test("tells of the change, and of nothing else", () => {
    const first = decided(chaos);
    expect(first.events).toMatchObject([{ type: "Normal", reason: "FaultsInEffect" }]);
    const again = { ...chaos, status: first.status ?? {} };
    expect(decided(again).events).toEqual([]);
    expect(decided(again, []).events).toMatchObject([{ reason: "FaultsNoRelease" }]);
  });
});
