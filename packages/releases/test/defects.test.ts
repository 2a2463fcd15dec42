// The defects of the spec's §15 that show only when controllers meet API servers, on an embedded fleet.
import { ReleaseManager, releaseKeys } from "@chaski/api";
import { CustomResourceDefinition, findCondition, isTrue, Secret } from "@chaski/kube";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PolledJudge } from "../src/evidence/polled-judge.ts";
import type { EmbeddedTarget } from "./stage/embedded-fleet.ts";
import { EmbeddedScene } from "./stage/embedded-scene.ts";
import { availability } from "./stage/exporter.ts";
import { FleetStage } from "./stage/fleet-stage.ts";
import { targetOf } from "./stage/target-of.ts";

let scene: EmbeddedScene;
let stage: FleetStage;

beforeEach(async () => {
  scene = await EmbeddedScene.open();
  stage = scene.stage;
});
afterEach(() => scene.close());

function west(): EmbeddedTarget {
  return targetOf(scene.fleet, "west");
}

describe("on a fleet", { timeout: 120_000 }, () => {
  test("D-19: a mark for deletion that meets a conflict is tried again, and the Revision goes", async () => {
    await scene.startOperator();
    await stage.joinAll();
    await stage.released("v1");
    await stage.release("v2", { release: { eligible: true, schedule: "always", ttl: 1 } });
    await stage.until("v2 ramps", async () => ((await stage.entry("v2"))?.currentPercent ?? 0) > 0);
    scene.fleet.delivery.faults.inject({
      on: { client: "chaski", methods: ["PATCH"], path: /\/revisions\/echo-v2/, watches: false },
      times: 2,
      effect: { kind: "status", code: 409 },
    });
    await stage.fail("v2");
    await stage.until("v2 is collected", async () => (await stage.revision("v2")) === undefined);
  });

  test("D-35: the ReleaseManager follows its Revision to another fleet", async () => {
    await scene.startOperator();
    await stage.joinAll();
    await stage.released("v1");
    const [target] = (await stage.revision("v1"))?.spec.targets ?? [];
    await stage.edit("v1", { spec: { targets: [{ ...target, fleet: "elsewhere" }] } });
    await stage.until("it follows", async () => (await stage.releaseManager())?.spec.fleet === "elsewhere");
  });

  test("D-36: a ReleaseManager of a fleet without clusters can be deleted", async () => {
    await scene.startOperator();
    await stage.release("v1");
    await stage.until("it is there", async () => (await stage.releaseManager()) !== undefined);
    await stage.delete("v1");
    await stage.deleteReleaseManager();
    await stage.until("it is gone", async () => (await stage.releaseManager()) === undefined);
  });

  test("D-54: a cluster that does not serve Gateways takes a release, and no waypoint is missed there", async () => {
    const gateways = { name: "gateways.gateway.networking.k8s.io" };
    await west().client.of(CustomResourceDefinition).delete(gateways);
    await scene.startOperator();
    await stage.joinAll();
    await stage.released("v1");
    expect(await stage.weights()).toBe("v1 100");
    expect(await stage.closedGates()).toEqual([]);
  });

  test("D-57: a rule that can't be deleted is told, and the route is written all the same", async () => {
    await scene.startOperator();
    await stage.joinAll();
    await stage.released("v1", { serviceLevelObjectives: [availability], canary: { percent: 10, ttl: 1 } });
    west().line.refuse = ({ method, path }) =>
      method === "DELETE" && path.includes("/prometheusrules/") ? "rules stay" : undefined;
    await stage.release("v2");
    await stage.until("west routes to v2", async () => (await stage.weightsOn(west())) === "v2 100");
    await stage.delete("v1");
    await stage.until("it is told", async () =>
      /Applied default\/west .*PrometheusRule.*rules stay/.test((await stage.closedGates()).join("\n")),
    );
    expect(await stage.weights()).toBe("v2 100");
  });

  test("D-63: while a judge can't be reached the Revision's status still follows the release", async () => {
    const judge = new PolledJudge<readonly string[]>({
      name: "prometheus",
      clock: scene.fleet.clock,
      everyMs: 10_000,
      deadlineMs: 10_000,
      questionFor: () => "all",
      ask: () => Promise.reject(new Error("ECONNREFUSED")),
      alertsIn: () => [],
    });
    await scene.startOperator({ judges: [judge], flags: { judges: ["prometheus"] } });
    await stage.joinAll();
    await stage.release("v1", { release: { eligible: false, schedule: "always" } });
    await stage.untilState("v1", "deployed");
    await stage.until("its Revision says so", async () => {
      const [target] = (await stage.revision("v1"))?.status?.targets ?? [];
      return target?.state === "deployed" && target.scale.current > 0;
    });
  });

  test("D-70: a revision that can't be deployed anywhere does not keep another one's state from being saved", async () => {
    for (const { line } of scene.fleet.targets)
      line.refuse = ({ path }) => (path.includes("/replicasets/v2") ? "not this one" : undefined);
    await scene.startOperator();
    await stage.joinAll();
    await stage.release("v1");
    await stage.release("v2");
    await stage.untilReleased("v1");
    expect((await stage.entry("v2"))?.state.current).toBe("deploying");
    expect((await stage.closedGates()).join("\n")).toMatch(/ReplicaSet.*v2.*not this one/);
  });

  test("D-71: a delivery cluster without ExternalSecrets holds nobody who does not need them", async () => {
    await stage.delivery.of(Secret).create({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "config", namespace: stage.namespace, labels: { for: "echo" } },
      data: { a: "Yg==" },
    });
    await scene.startOperator();
    await stage.joinAll();
    await stage.released("v1", { configSelector: { matchLabels: { for: "echo" } } });
    expect(await stage.objectsOn(west())).toContain("Secret config");
    expect(await stage.closedGates()).toEqual([]);
  });

  test("D-76: a Revision is not woken by its own status: at rest there is a pass per period", async () => {
    const passes: string[] = [];
    await scene.startOperator({ recordings: [{ write: (owner) => void passes.push(owner) }] });
    await stage.joinAll();
    await stage.released("v1");
    await stage.pass(60_000);
    passes.length = 0;
    await stage.pass(150_000);
    const own = passes.filter((owner) => owner === "releases.revision:default/echo-v1");
    expect(own.length).toBeLessThanOrEqual(11);
  });

  test("D-85: of two apps that need one name the younger waits and says so, and so does the older", async () => {
    await scene.startOperator();
    await stage.joinAll();
    await stage.released("v1", { name: "blue-green" });
    const younger = new FleetStage(scene.fleet.platform, { app: "echo-blue", namespace: stage.namespace });
    await younger.release("v1", { name: "green" });
    await stage.until("the younger says so", async () => {
      const { status } = (await younger.revision("v1")) ?? {};
      return findCondition(status?.conditions, "Placed")?.reason === "NameContested";
    });
    expect(isTrue((await stage.revision("v1"))?.status?.conditions, "Released")).toBe(true);

    const older = { namespace: stage.namespace, name: "echo-blue-green" };
    await stage.delivery.of(ReleaseManager).create({
      apiVersion: "picchu.medium.engineering/v1alpha1",
      kind: "ReleaseManager",
      metadata: { name: "green", namespace: stage.namespace, labels: { [releaseKeys.labels.app]: "echo-blue" } },
      spec: { app: "echo-blue", target: "green", fleet: "production" },
    });
    await stage.until("the older says so", async () => {
      const { status } = await stage.delivery.of(ReleaseManager).get(older);
      return /app echo-blue, target green/.test(findCondition(status?.conditions, "NamespaceContested")?.message ?? "");
    });
  });
});
