// Fleets and targets of other shapes, on whatever fleet the stage stands.
import { isDeepStrictEqual } from "node:util";
import { Namespace, type KubeObject, ConfigMap, HorizontalPodAutoscaler, PodDisruptionBudget } from "@chaski/kube";
import { describe, expect, test } from "vitest";
import { type Begin, AT_ONCE, LONG, onEach } from "./feature-scene.ts";
import type { FleetStage, Target } from "./fleet-stage.ts";
import { targetOf } from "./target-of.ts";
import { boundsOf } from "./played-autoscalers.ts";

const BY_CPU = { min: 6, default: 6, max: 12, targetCPUUtilizationPercentage: 70 };

export function shapesSuite(begin: Begin): void {
  describe("a fleet or target of another shape", () => {
    test("a hot standby gets every object and no say", LONG, async ({ onTestFinished }) => {
      const { stage, broken } = await begin(onTestFinished);
      const west = targetOf(stage, "west");
      await stage.joinAll({
        west: { hotStandby: true, config: { ...configOf(west), server: "https://127.0.0.1:1" } },
      });
      await stage.released("v1", { release: AT_ONCE });
      expect(await onEach(stage, (target) => stage.replicasOn(target))).toEqual(["v1 3", "v1 3", "none"]);

      await stage.editCluster("west", { config: configOf(west) });
      await stage.until("the standby follows", async () => (await stage.weights()) === "v1 100");
      await stage.until("its pods too", async () => (await stage.replicas()) === "v1 3");
      const [east, , standby] = await onEach(stage, (target) => stage.objectsOn(target));
      expect(standby).toEqual(east);
      expect((await stage.entry("v1"))?.scale).toMatchObject({ Current: 6, Desired: 6 });
      expect(broken()).toEqual([]);
    });

    test(
      "clusters of unequal size get their share of pods and of the autoscaler's range",
      LONG,
      async ({ onTestFinished }) => {
        const { stage } = await begin(onTestFinished);
        await stage.joinAll({ east: { scalingFactorString: "2.0" }, west: { scalingFactorString: "0.5" } });
        await stage.released("v1", { release: AT_ONCE });
        expect(await onEach(stage, (target) => stage.replicasOn(target))).toEqual(["v1 4", "v1 2", "v1 1"]);
        await stage.released("v2", { release: AT_ONCE, scale: BY_CPU });
        await stage.until("the ranges are theirs", async () => {
          const bounds = await onEach(stage, ({ client }) => boundsOf(client, stage.place, "v2"));
          return bounds.map((each) => `${each?.min}..${each?.max}`).join() === "4..8,2..4,1..2";
        });

        await stage.editCluster("west", { scalingFactorString: "half" });
        await stage.until("it is told", async () =>
          /^ScalingFactor \S+\/west the scaling factor of cluster \S+ can't be read/m.test(
            (await stage.closedGates()).join("\n"),
          ),
        );
        await stage.editCluster("west", { scalingFactorString: "0.5" });
        await stage.until("all is well", async () => !(await stage.closedGates()).join().includes("ScalingFactor"));
      },
    );

    test(
      "D-61: an event-driven revision runs nowhere that disables events, and is released all the same",
      LONG,
      async ({ onTestFinished }) => {
        const { stage } = await begin(onTestFinished);
        await stage.joinAll({ west: { disableEventDriven: true } });
        await stage.release("v1", { release: AT_ONCE }, { eventDriven: true });
        await stage.untilReleased("v1");
        expect(await onEach(stage, (target) => stage.replicasOn(target))).toEqual(["v1 2", "v1 2", "v1 0"]);
        await stage.release("v2", { release: AT_ONCE, scale: BY_CPU }, { eventDriven: true });
        await stage.untilReleased("v2");
        const scaled = await onEach(stage, async (target) =>
          (await stage.objectsOn(target)).includes("HorizontalPodAutoscaler v2"),
        );
        expect(scaled).toEqual([true, true, false]);
        await stage.released("v3", { release: AT_ONCE, scale: BY_CPU });
        const [, , west] = await onEach(stage, (target) => stage.replicasOn(target));
        expect(west).toMatch(/v3 [1-9]$/);
      },
    );

    test(
      "from sidecars to the ambient mesh and back, the waypoint comes and goes and foreign labels stay",
      LONG,
      async ({ onTestFinished }) => {
        const { stage, broken } = await begin(onTestFinished);
        await stage.joinAll();
        await stage.released("v1", { release: AT_ONCE });
        await untilMesh(stage, { "istio-injection": "enabled" });
        await labelByHand(stage);

        const waypoint = {
          waypointHPA: { minReplicas: 4, maxReplicas: 3 },
          waypointResources: { limits: { cpu: "2" } },
        };
        await stage.release("v2", { release: { ...AT_ONCE, max: 50 }, ambientMesh: true, ...waypoint });
        await untilMesh(stage, { "istio-injection": "enabled", "istio.io/dataplane-mode": "ambient" });
        await stage.until("both serve", async () => (await stage.weights()) === "v1 50, v2 50");
        await expectWaypoint(stage);

        await stage.release("v3", { release: AT_ONCE, ambientMesh: true, ...waypoint });
        await stage.untilReleased("v3");
        await untilMesh(stage, { "istio.io/dataplane-mode": "ambient", "istio.io/use-waypoint": "waypoint" });

        await stage.released("v4", { release: AT_ONCE });
        await untilMesh(stage, { "istio-injection": "enabled" });
        await stage.until("the waypoint is gone", async () => {
          const objects = await onEach(stage, (target) => stage.objectsOn(target));
          return !objects.flat().some((name) => / waypoint/.test(name));
        });
        const foreign = await onEach(
          stage,
          async ({ client }) => (await namespaceOf(client, stage)).metadata.labels?.["team"],
        );
        expect(foreign).toEqual(["a", "a", "a"]);
        expect(broken()).toEqual([]);
      },
    );
  });
}

function configOf({ server, authority }: Target) {
  return { server, "certificate-authority-data": Buffer.from(authority).toString("base64") };
}

async function untilMesh(stage: FleetStage, labels: Readonly<Record<string, string>>): Promise<void> {
  await stage.until(`the namespaces are ${JSON.stringify(labels)}`, async () => {
    const all = await onEach(stage, async ({ client }) => meshLabels(await namespaceOf(client, stage)));
    return all.every((own) => isDeepStrictEqual(own, labels));
  });
}

function meshLabels({ metadata: { labels = {} } }: KubeObject): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => name.startsWith("istio")));
}

function namespaceOf(client: Target["client"], { place }: FleetStage): Promise<KubeObject> {
  return client.of(Namespace).get({ name: place });
}

async function labelByHand({ targets, place }: FleetStage): Promise<void> {
  for (const { client } of targets)
    await client.of(Namespace).patch({ name: place }, "merge", { metadata: { labels: { team: "a" } } });
}

/** D-53: a maximum below the minimum is raised, and the budget follows. */
async function expectWaypoint({ targets, place }: FleetStage): Promise<void> {
  const key = { namespace: place, name: "waypoint" };
  for (const { client } of targets) {
    expect((await client.of(HorizontalPodAutoscaler).get(key)).spec).toMatchObject({ minReplicas: 4, maxReplicas: 4 });
    expect((await client.of(PodDisruptionBudget).get(key)).spec).toMatchObject({ minAvailable: 3 });
    const options = await client.of(ConfigMap).get({ namespace: place, name: "waypoint-options" });
    expect(options.data?.["deployment"]).toMatch(/"cpu": "2"/);
  }
}
