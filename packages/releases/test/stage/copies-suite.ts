// ClusterSecrets and Mirror, on whatever fleet the stage stands.
import { ClusterSecrets, crdOf, Mirror, releaseKeys, Revision, revisionResource } from "@chaski/api";
import { ConfigMap, CustomResourceDefinition, isTrue, Namespace, Secret } from "@chaski/kube";
import { type Client, NotFound } from "@chaski/runtime";
import { beforeEach, describe, expect, test } from "vitest";
import type { FleetStage, Target } from "./fleet-stage.ts";

export interface CopiesScene {
  readonly stage: FleetStage;
  /** `app mirror` of each failure that was counted. */
  readonly failures: readonly string[];
}

const TIMEOUT = { timeout: 120_000 };
const encoded = (text: string): string => Buffer.from(text).toString("base64");
const apiVersion = "picchu.medium.engineering/v1alpha1";

async function found<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (error instanceof NotFound) return undefined;
    throw error;
  });
}

export function copiesSuite(open: () => Promise<CopiesScene>): void {
  let scene: CopiesScene;
  let stage: FleetStage;
  let place = "";
  let counter = 0;

  beforeEach(async () => {
    scene = await open();
    stage = scene.stage;
    place = `copies-${++counter}-${stage.namespace}`.slice(0, 60);
  });

  const targetAt = (index: number): Target => {
    const target = stage.targets[index];
    if (!target) throw new Error("the fleet has three targets");
    return target;
  };
  const writeSecret = (name: string, value: string, labels: Readonly<Record<string, string>> = {}) => {
    const metadata = { name, namespace: stage.namespace, labels };
    const secret: Secret = {
      apiVersion: "v1",
      kind: "Secret",
      metadata,
      data: { value: encoded(value) },
      type: "Opaque",
    };
    return stage.delivery.of(Secret).apply(secret, { fieldManager: "person", force: true });
  };
  const valueOn = async (client: Client, namespace: string, name: string): Promise<string | undefined> => {
    const secret = await found(client.of(Secret).get({ namespace, name }));
    const value = secret?.data?.["value"];
    return value === undefined ? undefined : Buffer.from(value, "base64").toString();
  };
  const copiedTo = (name: string): Promise<readonly (string | undefined)[]> =>
    Promise.all(stage.targets.map(({ client }) => valueOn(client, place, name)));
  const untilCopied = (name: string, values: readonly (string | undefined)[]): Promise<void> =>
    stage.until(`copies of ${name} are ${values.join(", ")}`, async () => {
      return JSON.stringify(await copiedTo(name)) === JSON.stringify(values);
    });

  describe("ClusterSecrets", TIMEOUT, () => {
    const key = () => ({ namespace: stage.namespace, name: "registry" });
    const choose = (source: object = { labelSelector: "copy=yes" }, target: object = {}) =>
      stage.delivery.of(ClusterSecrets).create({
        apiVersion,
        kind: "ClusterSecrets",
        metadata: { name: "registry", namespace: stage.namespace },
        spec: {
          source: { namespace: stage.namespace, ...source },
          target: { namespace: place, labels: { from: "delivery" }, annotations: { why: "pulls" }, ...target },
        },
      });

    beforeEach(async () => {
      await stage.joinAll();
    });

    test("D-39: chosen Secrets are copied, follow their source, and go with the object", async () => {
      await writeSecret("pull", "first", { copy: "yes" });
      await writeSecret("other", "never");
      await choose();
      await untilCopied("pull", ["first", "first", "first"]);
      await stage.until("it says so", async () =>
        isTrue((await stage.delivery.of(ClusterSecrets).get(key())).status?.conditions, "Synced"),
      );
      expect(await copiedTo("other")).toEqual([undefined, undefined, undefined]);
      const copy = await targetAt(0).client.of(Secret).get({ namespace: place, name: "pull" });
      expect(copy).toMatchObject({
        type: "Opaque",
        metadata: { labels: { from: "delivery" }, annotations: { why: "pulls" } },
      });

      await writeSecret("pull", "rotated", { copy: "yes" });
      await untilCopied("pull", ["rotated", "rotated", "rotated"]);

      await targetAt(1).client.of(Secret).delete({ namespace: place, name: "pull" });
      await untilCopied("pull", ["rotated", "rotated", "rotated"]);

      await stage.delivery.of(ClusterSecrets).delete(key());
      await untilCopied("pull", [undefined, undefined, undefined]);
      await stage.until(
        "it is gone",
        async () => (await found(stage.delivery.of(ClusterSecrets).get(key()))) === undefined,
      );
    });

    test("a Secret or a cluster that is not chosen any more loses its copy", async () => {
      await writeSecret("pull", "first", { copy: "yes" });
      await choose({ labelSelector: "copy in (yes)" }, { fieldSelector: "metadata.name!=north" });
      await untilCopied("pull", ["first", undefined, "first"]);
      const patch = (spec: object) => stage.delivery.of(ClusterSecrets).patch(key(), "merge", { spec });
      await patch({ target: { fieldSelector: "metadata.name=north" } });
      await untilCopied("pull", [undefined, "first", undefined]);
      await writeSecret("pull", "first", {});
      await untilCopied("pull", [undefined, undefined, undefined]);
    });

    test("a namespace that is there already stays nobody's but its maker's", async () => {
      const { client } = targetAt(0);
      await client.of(Namespace).create({ apiVersion: "v1", kind: "Namespace", metadata: { name: place } });
      await writeSecret("pull", "first", { copy: "yes" });
      await choose();
      await untilCopied("pull", ["first", "first", "first"]);
      const { annotations = {} } = (await client.of(Namespace).get({ name: place })).metadata;
      expect(Object.keys(annotations).filter((name) => name.startsWith("chaski.dev/"))).toEqual([]);
    });

    test("a Secret of somebody else is left alone, and the condition says which", async () => {
      const { client } = targetAt(0);
      await client.of(Namespace).create({ apiVersion: "v1", kind: "Namespace", metadata: { name: place } });
      const annotations = { "chaski.dev/owner": "other releases.release-manager a/b Secret x/pull" };
      const foreign = { name: "pull", namespace: place, labels: { [releaseKeys.labels.ignore]: "" }, annotations };
      await client
        .of(Secret)
        .create({ apiVersion: "v1", kind: "Secret", metadata: foreign, data: { value: encoded("theirs") } });
      await writeSecret("pull", "first", { copy: "yes" });
      await choose();
      await untilCopied("pull", ["theirs", "first", "first"]);
      await stage.until("it says so", async () => {
        const { status } = await stage.delivery.of(ClusterSecrets).get(key());
        return (
          status?.conditions?.some(({ status, message }) => status === "False" && message.includes("pull")) ?? false
        );
      });
    });

    test("a selector that can't be read takes nothing away", async () => {
      await writeSecret("pull", "first", { copy: "yes" });
      await choose();
      await untilCopied("pull", ["first", "first", "first"]);
      await stage.delivery
        .of(ClusterSecrets)
        .patch(key(), "merge", { spec: { source: { labelSelector: "copy in (" } } });
      await stage.until("it says so", async () => {
        const { status } = await stage.delivery.of(ClusterSecrets).get(key());
        return status?.conditions?.some(({ reason }) => reason === "InvalidSelector") ?? false;
      });
      expect(await copiedTo("pull")).toEqual(["first", "first", "first"]);
    });
  });

  describe("Mirror", TIMEOUT, () => {
    const west = (): Target => targetAt(2);
    const mirrorTo = (clusterName: string, more: object = {}) =>
      stage.delivery.of(Mirror).create({
        apiVersion,
        kind: "Mirror",
        metadata: { name: `to-${clusterName}`, namespace: stage.namespace },
        spec: { clusterName, ...more },
      });
    const copyOnWest = (tag: string): Promise<Revision | undefined> =>
      found(
        west()
          .client.of(Revision)
          .get({ namespace: stage.namespace, name: `${stage.app}-${tag}` }),
      );

    beforeEach(async () => {
      const definition = crdOf(revisionResource) as unknown as CustomResourceDefinition;
      await west().client.of(CustomResourceDefinition).apply(definition, { fieldManager: "test", force: true });
      await stage.join(targetAt(0));
      // The other delivery cluster runs no workloads of this fleet.
      await stage.join(west(), { hotStandby: true });
      const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: stage.namespace } } as const;
      await west().client.of(Namespace).apply(namespace, { fieldManager: "test", force: true });
    });

    test("D-40: a Revision that has pods is copied with its configs, and the copy runs no tests", async () => {
      await writeSecret("settings", "first", { app: stage.app });
      const metadata = {
        name: "more",
        namespace: stage.namespace,
        labels: { theApp: stage.app, theTag: "v1", extra: "yes" },
      };
      await stage.delivery.of(ConfigMap).create({ apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "b" } });
      await mirrorTo("west", {
        additionalConfigSelectors: [
          { namespace: stage.namespace, labelSelector: "extra=yes", appLabelName: "theApp", tagLabelName: "theTag" },
        ],
      });
      const externalTest = { enabled: true, started: false, completed: false };
      await stage.release("v1", { externalTest, configSelector: { matchLabels: { app: stage.app } } });
      await stage.until("v1 is copied", async () => (await copyOnWest("v1")) !== undefined);
      const copy = await copyOnWest("v1");
      expect(copy?.spec.targets.map((target) => target.externalTest?.enabled)).toEqual([false]);
      expect(copy?.metadata.annotations?.[releaseKeys.annotations.committerTimestamp]).toBeDefined();
      await stage.until(
        "its Secret is copied",
        async () => (await valueOn(west().client, stage.namespace, "settings")) === "first",
      );
      expect((await west().client.of(ConfigMap).get({ namespace: stage.namespace, name: "more" })).data).toEqual({
        a: "b",
      });

      await writeSecret("settings", "rotated", { app: stage.app });
      await stage.until(
        "the Secret follows",
        async () => (await valueOn(west().client, stage.namespace, "settings")) === "rotated",
      );
      await stage.fail("v1");
      await stage.until("the copy follows", async () => (await copyOnWest("v1"))?.spec.failed === true);
      expect(scene.failures.filter((failure) => failure.startsWith(`${stage.app} `))).toEqual([]);
    });

    test("a Revision that wants none is not copied, and nothing that was copied is taken away", async () => {
      await mirrorTo("west");
      await stage.release("v1");
      await stage.release("v2", {}, { disableMirroring: true });
      await stage.until("v1 is copied", async () => (await copyOnWest("v1")) !== undefined);
      await stage.until(
        "v2 has pods",
        async () => ((await stage.revision("v2"))?.status?.targets[0]?.scale.current ?? 0) > 0,
      );
      await stage.pass(1_000);
      expect(await copyOnWest("v2")).toBeUndefined();
      await stage.delivery.of(Mirror).delete({ namespace: stage.namespace, name: "to-west" });
      await stage.delete("v1");
      await stage.pass(1_000);
      expect(await copyOnWest("v1")).toBeDefined();
    });

    test("what can't be copied is counted and told, and holds nothing", async () => {
      const metadata = {
        name: `${stage.app}-v1`,
        namespace: stage.namespace,
        labels: { [releaseKeys.labels.ignore]: "" },
      };
      const app = { name: stage.app, ref: "main", tag: "v1", image: "registry.invalid/theirs" };
      const theirs = { apiVersion, kind: "Revision", metadata, spec: { app, failed: false, targets: [] } } as Revision;
      await west().client.of(Revision).create(theirs);
      await mirrorTo("west");
      await stage.released("v1");
      await stage.until("it was counted", async () => scene.failures.includes(`${stage.app} to-west`));
      const { status } = await stage.delivery.of(Mirror).get({ namespace: stage.namespace, name: "to-west" });
      expect(status?.conditions?.[0]).toMatchObject({ type: "Mirrored", status: "False", reason: "Refused" });
      expect((await copyOnWest("v1"))?.spec).toEqual(theirs.spec);
    });
  });
}
