// What may go wrong around a release, on an embedded fleet.
import { Cluster, releaseKeys } from "@chaski/api";
import { isTrue } from "@chaski/kube";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { EmbeddedTarget } from "./stage/embedded-fleet.ts";
import { EmbeddedScene } from "./stage/embedded-scene.ts";
import type { FleetStage } from "./stage/fleet-stage.ts";
import { targetOf } from "./stage/target-of.ts";
import { tellStory } from "./stage/story.ts";
import { goOnWithoutWebhooks } from "./stage/unhooked.ts";

const LONG_MS = 120_000;
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

function others(): readonly EmbeddedTarget[] {
  return scene.fleet.targets.filter(({ name }) => name !== "west");
}

async function quarantine(): Promise<void> {
  const patch = { metadata: { annotations: { [releaseKeys.annotations.quarantine]: "broken rack" } } };
  await stage.delivery.of(Cluster).patch({ namespace: stage.namespace, name: "west" }, "merge", patch);
}

async function untilWeights(targets: readonly EmbeddedTarget[], weights: string): Promise<void> {
  await stage.until(`${targets.map(({ name }) => name).join()} have ${weights}`, async () => {
    const all = await Promise.all(targets.map((target) => stage.weightsOn(target)));
    return all.every((each) => each === weights);
  });
}

describe("a cluster that is down", () => {
  test(
    "holds a promotion, and is named as what it waits for",
    async () => {
      await scene.startOperator();
      await stage.joinAll();
      await stage.released("v1");
      west().line.cut();
      await stage.pass(70_000);
      await stage.release("v2");
      await stage.pass(60_000);
      expect(await stage.weights()).toBe("v1 100");
      expect(await stage.closedGates()).toContainEqual(
        expect.stringMatching(/^Deployed default\/west .*, which is unreachable: /),
      );
      expect(await stage.clusterCondition("west", "Ready")).toMatch(/^False Unreachable: /);
      west().line.mend();
      await stage.untilReleased("v2");
      expect(await stage.weights()).toBe("v2 100");
      expect(scene.broken()).toEqual([]);
    },
    LONG_MS,
  );

  test(
    "D-38: does not keep a roll-back from the others, and gets it when it is back",
    async () => {
      await scene.startOperator();
      await stage.joinAll();
      await stage.released("v1");
      await stage.released("v2");
      await stage.untilState("v1", "retired");
      west().line.cut();
      await stage.pass(70_000);
      await stage.fail("v2");
      await untilWeights(others(), "v1 100");
      expect(await stage.weightsOn(west())).toBe("v2 100");
      west().line.mend();
      await untilWeights([west()], "v1 100");
      await stage.untilReleased("v1");
      expect(scene.broken()).toEqual([]);
    },
    LONG_MS,
  );

  test(
    "and quarantined: two releases complete on the others, and it follows without a moment of weight and no pod",
    async () => {
      await scene.startOperator();
      await stage.joinAll();
      await stage.released("v1");
      west().line.cut();
      await quarantine();
      await stage.pass(70_000);
      for (const tag of ["v2", "v3"]) {
        await stage.release(tag);
        await untilWeights(others(), `${tag} 100`);
      }
      expect(await stage.weightsOn(west())).toBe("v1 100");
      expect(await stage.replicasOn(west())).toBe("v1 2");
      west().line.mend();
      await untilWeights([west()], "v3 100");
      await stage.untilReleased("v3");
      await stage.until("west has drained v1", async () => /v1 0/.test(await stage.replicasOn(west())));
      expect(scene.broken()).toEqual([]);
    },
    LONG_MS,
  );

  test(
    "and quarantined only when a release is under way: the others get the pods that are missing, and complete",
    async () => {
      await scene.startOperator();
      await stage.joinAll();
      await stage.released("v1");
      west().line.cut();
      await quarantine();
      await stage.release("v2");
      await untilWeights(others(), "v2 100");
      expect(await stage.replicasOn(others()[0] ?? west())).toContain("v2 3");
      west().line.mend();
      await stage.untilReleased("v2");
      await untilWeights([west()], "v2 100");
      expect(scene.broken()).toEqual([]);
    },
    LONG_MS,
  );

  test(
    "from the start: nothing is read into its silence, and it joins when it answers",
    async () => {
      west().line.cut();
      await scene.startOperator();
      await stage.joinAll();
      await stage.release("v1");
      await stage.pass(90_000);
      expect(await stage.weightsOn(west())).toBe("none");
      west().line.mend();
      await stage.untilReleased("v1");
      expect(await stage.weights()).toBe("v1 100");
      expect(scene.broken()).toEqual([]);
    },
    LONG_MS,
  );
});

test(
  "the webhooks are down: a ramp goes on, a roll-back runs, and what is invalid is told instead",
  async () => {
    await scene.startOperator();
    await stage.joinAll();
    await stage.released("v1");
    await stage.release("v2");
    await stage.until("v2 ramps", async () => ((await stage.entry("v2"))?.currentPercent ?? 0) >= 20);
    await goOnWithoutWebhooks(stage);
    expect(scene.broken()).toEqual([]);
  },
  LONG_MS,
);

test("30 % of all calls are refused by 409, 429 or 500: the story ends the same", async () => {
  const { delivery, targets } = scene.fleet;
  const faulty = [delivery, ...targets.map(({ cluster }) => cluster)];
  await scene.startOperator();
  for (const cluster of faulty) {
    for (const code of [409, 429, 500] as const)
      cluster.faults.inject({
        on: { client: "chaski", watches: false },
        probability: 0.1,
        effect: { kind: "status", code },
      });
  }
  await tellStory(scene);
  expect(scene.broken()).toEqual([]);
}, 300_000);

test(
  "a cluster that refuses VirtualServices: the ramp holds, nothing retires there, and it is told what and where",
  async () => {
    await scene.startOperator();
    await stage.joinAll();
    await stage.released("v1");
    west().line.refuse = ({ path }) =>
      path.includes("/virtualservices/") ? 'admission webhook "guard" denied the request: no' : undefined;
    await stage.release("v2");
    await stage.pass(60_000);
    expect(await stage.weightsOn(west())).toBe("v1 100");
    expect((await stage.entry("v2"))?.currentPercent).toBe(10);
    expect(await stage.replicasOn(west())).toBe("v1 2, v2 2");
    expect(await stage.closedGates()).toContainEqual(
      expect.stringMatching(/^Applied default\/west .*VirtualService.*guard/),
    );
    await stage.untilEvent(/ApplyFailed: VirtualService .*west.*guard/);
    west().line.refuse = () => undefined;
    await stage.untilReleased("v2");
    expect(await stage.weights()).toBe("v2 100");
    expect(scene.broken()).toEqual([]);
  },
  LONG_MS,
);

test(
  "a cluster that refuses its first route: nothing is called released before it has one",
  async () => {
    await scene.startOperator();
    await stage.joinAll();
    west().line.refuse = ({ path }) => (path.includes("/virtualservices/") ? "no routes today" : undefined);
    await stage.release("v1");
    await untilWeights(others(), "v1 100");
    await stage.pass(30_000);
    expect(isTrue((await stage.revision("v1"))?.status?.conditions, "Released")).toBe(false);
    expect(isTrue((await stage.releaseManager())?.status?.conditions, "Released")).toBe(false);
    west().line.refuse = () => undefined;
    await stage.untilReleased("v1");
    expect(await stage.weights()).toBe("v1 100");
  },
  LONG_MS,
);

describe("D-01: credentials", () => {
  test(
    "rotated in the middle of a ramp are taken up, and the ramp goes on",
    async () => {
      for (const target of scene.fleet.targets) target.line.admits = `token-of-${target.name}`;
      await scene.startOperator();
      await stage.joinAll();
      await stage.released("v1");
      await stage.release("v2");
      await stage.until("v2 ramps", async () => ((await stage.entry("v2"))?.currentPercent ?? 0) >= 20);
      for (const target of scene.fleet.targets) {
        await stage.writeCredentials(target, { token: `second-${target.name}` });
        target.line.admits = `second-${target.name}`;
      }
      await stage.untilReleased("v2");
      expect(await stage.weights()).toBe("v2 100");
      expect(scene.broken()).toEqual([]);
    },
    LONG_MS,
  );

  test(
    "that do not work: the old ones stay in use, and the Cluster says so",
    async () => {
      west().line.admits = "token-of-west";
      await scene.startOperator();
      await stage.joinAll();
      await stage.released("v1");
      await stage.writeCredentials(west(), { token: "wrong" });
      await stage.until(
        "told",
        async () => (await stage.clusterCondition("west", "CredentialsRejected")) !== undefined,
      );
      await stage.released("v2");
      expect(await stage.weights()).toBe("v2 100");
    },
    LONG_MS,
  );
});
