import { type KubeObject, ReplicaSet } from "@chaski/kube";
import type { Caches, Fleet, WakeContext } from "@chaski/runtime";
import { expect, test } from "vitest";
import { aReplicaSet } from "../../test/worlds.ts";
import { defaultCalendar, defaultFlags, VirtualService } from "../index.ts";
import { releaseManagerController } from "./release-manager.ts";

const { wakeOn } = releaseManagerController(
  { flags: defaultFlags, calendars: [defaultCalendar], judges: [] },
  { concurrency: 1, syncPeriodMs: 15_000 },
);

const pods = (ready: number): KubeObject => aReplicaSet("v2", [2, ready]);
const route = (weight: number): KubeObject =>
  ({
    ...aReplicaSet("shop", 1),
    spec: {
      http: [
        {
          name: "01_release-http",
          route: [
            { destination: { subset: "v1" }, weight: 100 - weight },
            { destination: { subset: "v2" }, weight },
          ],
        },
      ],
    },
  }) as KubeObject;

test.each([
  { what: "pods ready here and not there", kind: ReplicaSet, here: pods(2), there: pods(1), urgency: "soon" },
  { what: "some pods ready here", kind: ReplicaSet, here: pods(1), there: pods(2), urgency: "soon" },
  { what: "pods left over here", kind: ReplicaSet, here: pods(3), there: pods(2), urgency: "soon" },
  { what: "the last pods ready", kind: ReplicaSet, here: pods(2), there: pods(2), urgency: "now" },
  { what: "pods ready, none wanted there", kind: ReplicaSet, here: pods(2), there: undefined, urgency: "now" },
  {
    what: "a route written here and not there",
    kind: VirtualService,
    here: route(50),
    there: route(0),
    urgency: "soon",
  },
  { what: "the last route written", kind: VirtualService, here: route(50), there: route(50), urgency: "now" },
])("$what: $urgency", ({ kind, here, there, urgency }) => {
  const rules = wakeOn.filter((rule) => rule.kind === kind && rule.on === "remotes");
  const fleet = fleetOf([undefined, here, there]);
  expect(rules.map((rule) => rule.urgencyOf?.(here, undefined, { fleet } as WakeContext))).toEqual([urgency]);
});

/** The same object on each cluster, or none. */
function fleetOf(objects: readonly (KubeObject | undefined)[]): Pick<Fleet, "clusters"> {
  const clusters = objects.map((object, index) => ({
    name: `cluster-${index}`,
    reachability: { state: "observed" as const },
    caches: { of: () => ({ inNamespace: () => ({ get: () => object }) }) } as unknown as Caches,
  }));
  return { clusters };
}
