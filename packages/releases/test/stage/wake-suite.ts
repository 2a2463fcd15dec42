// Who is woken by what: under an operator that never looks by itself, a release that moves was told to.
import { FaultInjector, releaseKeys } from "@chaski/api";
import { ConfigMap, Pod } from "@chaski/kube";
import { describe, expect, test } from "vitest";
import { type Begin, AT_ONCE, type FeatureScene, LONG, onEach } from "./feature-scene.ts";
import { FleetStage, found } from "./fleet-stage.ts";

interface Neighbours {
  readonly scene: FeatureScene;
  readonly own: FleetStage;
  /** Another app of the same namespace and clusters, that chooses other configs. */
  readonly neighbour: FleetStage;
  /** An app that chooses the same configs in another namespace. */
  readonly stranger: FleetStage;
}

export function wakeSuite(begin: Begin): void {
  describe("a release is woken at once, and nobody else,", () => {
    test("by its ReplicaSet, its config, its FaultInjector and its Revision", LONG, async ({ onTestFinished }) => {
      const neighbours = await released(await begin(onTestFinished));
      const { own, neighbour } = neighbours;

      await expectWoken(neighbours, [own], async () => {
        const before = await own.pods();
        const [east] = own.targets;
        const [pod] = (await east?.client.of(Pod).list({ namespace: own.place }))?.items ?? [];
        await east?.client.of(Pod).delete({ namespace: own.place, name: pod?.metadata.name ?? "" });
        await own.until("another pod has come", async () => {
          const after = await own.pods();
          return after.length === before.length && after.join() !== before.join();
        });
        await own.until("it serves", async () => (await own.entry("v1"))?.scale?.Current === 6);
      });

      await expectWoken(neighbours, [own], async () => {
        await writeConfig(own, own.app, "high");
        await untilCopied(own, "high");
      });

      await expectWoken(neighbours, [own, neighbour], async () => {
        await writeConfig(own, neighbour.app, "high");
        await untilCopied(neighbour, "high");
      });

      await expectWoken(neighbours, [own], async () => {
        await injectFault(own);
      });

      await expectWoken(neighbours, [own], async () => {
        await own.release("v2", { release: AT_ONCE });
        await own.untilReleased("v2");
        await own.untilState("v1", "retired");
      });
    });
  });
}

async function released(scene: FeatureScene): Promise<Neighbours> {
  const { stage: own, platform } = scene;
  const neighbour = new FleetStage(platform, { app: `${own.app}-near`, namespace: own.namespace });
  const stranger = new FleetStage(platform, { app: `${own.app}-far`, namespace: await scene.newNamespace() });
  await own.joinAll();
  await stranger.joinAll();
  for (const stage of [own, stranger]) await writeConfig(stage, own.app, "low");
  await Promise.all(
    [own, neighbour, stranger].map(async (stage) => {
      const chosen = stage === stranger ? own.app : stage.app;
      await stage.release("v1", { release: AT_ONCE, configSelector: { matchLabels: { for: chosen } } });
      await stage.untilReleased("v1");
    }),
  );
  return { scene, own, neighbour, stranger };
}

/** Waits for them, then for quiet: whoever was woken too has been decided about by then. */
async function expectWoken(
  { scene, own, neighbour, stranger }: Neighbours,
  woken: readonly FleetStage[],
  act: () => Promise<void>,
): Promise<void> {
  const all = [own, neighbour, stranger];
  const count = (stage: FleetStage): number => scene.passes.get(`${stage.namespace}/${stage.place}`) ?? 0;
  await untilQuiet(scene, all, count);
  const before = new Map(all.map((stage) => [stage, count(stage)]));
  const isWoken = (stage: FleetStage): boolean => count(stage) > (before.get(stage) ?? 0);
  await act();
  await own.until("whoever has to know was woken", async () => woken.every(isWoken));
  await untilQuiet(scene, all, count);
  expect(all.filter(isWoken).map(({ place }) => place)).toEqual(woken.map(({ place }) => place));
}

const QUIET_MS = 2_000;

async function untilQuiet(
  { platform }: FeatureScene,
  stages: readonly FleetStage[],
  count: (stage: FleetStage) => number,
): Promise<void> {
  let seen = "";
  await platform.until("nothing moves any more", async () => {
    const before = seen;
    await platform.pass(QUIET_MS);
    seen = stages.map(count).join();
    return seen === before;
  });
}

async function writeConfig(stage: FleetStage, app: string, level: string): Promise<void> {
  const metadata = { name: "config", namespace: stage.namespace, labels: { for: app } };
  const config: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { level } };
  await stage.delivery.of(ConfigMap).apply(config, { fieldManager: "person", force: true });
}

async function untilCopied(stage: FleetStage, level: string): Promise<void> {
  await stage.until(`${stage.place} has ${level}`, async () => {
    const copies = await onEach(stage, ({ client }) =>
      found(client.of(ConfigMap).get({ namespace: stage.place, name: "config" })),
    );
    return copies.every((copy) => copy?.data?.["level"] === level);
  });
}

async function injectFault({ delivery, namespace, app }: FleetStage): Promise<void> {
  const labels = { [releaseKeys.labels.app]: app, [releaseKeys.labels.target]: "production" };
  await delivery.of(FaultInjector).create({
    apiVersion: "picchu.medium.engineering/v1alpha1",
    kind: "FaultInjector",
    metadata: { name: "chaos", namespace, labels },
    spec: {
      httpPortFaults: [
        { portSelector: { number: 80 }, fault: { abort: { httpStatus: 503, percentage: { value: 1 } } } },
      ],
    },
  });
}
