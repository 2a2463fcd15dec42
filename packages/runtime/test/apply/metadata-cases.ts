// Caches that hold metadata alone, and an applier that works with nothing else.
import { RealClock, seededRandom } from "@chaski/clock";
import { ConfigMap, type Kind, type KubeObject, Secret } from "@chaski/kube";
import { type ApplyEntry, apply, type CacheEvent, copyHash, createCaches, type KindCache } from "@chaski/runtime";
import { until } from "@chaski/test/kube";
import { describe, expect, onTestFinished, test } from "vitest";
import { outcomes } from "./outcomes.ts";
import { type PlaceStart, useStage } from "./use-stage.ts";

const kinds = [ConfigMap, Secret] as unknown as readonly Kind[];

export function metadataCases(start: PlaceStart): void {
  const used = useStage(start, kinds, { cache: { isMetadataOnly: true } });

  function secret(name: string, password: string): Secret {
    const data = { password: Buffer.from(password).toString("base64") };
    const metadata = { namespace: used.stage.namespace, name, labels: { tide: "low" } };
    return { apiVersion: "v1", kind: "Secret", metadata, data };
  }

  async function applied(object: Secret): Promise<Secret> {
    return await used.stage.cluster.witness.of(Secret).apply(object, { fieldManager: "people", force: true });
  }

  async function cacheOfSecrets(): Promise<KindCache<Secret>> {
    const { client } = used.stage.cluster;
    const caches = createCaches({ client, clock: new RealClock(), random: seededRandom(1), isFrozen: true });
    caches.declare(Secret, { namespace: used.stage.namespace, labelSelector: "tide", isMetadataOnly: true });
    const stop = new AbortController();
    onTestFinished(async () => {
      stop.abort();
      await caches.stopped();
    });
    caches.start(stop.signal);
    await caches.synced(stop.signal);
    return caches.of(Secret);
  }

  describe("a cache of metadata", () => {
    test("names its objects by their kind and holds nothing of their content, listed or watched", async () => {
      await applied(secret("listed", "swordfish"));
      const cache = await cacheOfSecrets();
      await applied(secret("watched", "marlin"));
      await until(() => cache.list().length === 2 || undefined, { what: "both are cached" });
      const view = cache.inNamespace(used.stage.namespace);
      for (const name of ["listed", "watched"]) {
        const held = view.get(name);
        expect(Object.keys(held ?? {}).toSorted()).toEqual(["apiVersion", "kind", "metadata"]);
        expect(held).toMatchObject({ apiVersion: "v1", kind: "Secret", metadata: { labels: { tide: "low" } } });
      }
    });

    test("tells of an edit of the content by the new version, and of the end", async () => {
      const { metadata } = await applied(secret("one", "swordfish"));
      const cache = await cacheOfSecrets();
      const told: CacheEvent<Secret>[] = [];
      cache.subscribe((event) => told.push(event));
      const edited = await applied(secret("one", "marlin"));
      await used.stage.cluster.witness.of(Secret).delete(metadata);
      await until(() => told.length === 3 || undefined, { what: "all is told" });
      expect(told.map(({ type }) => type)).toEqual(["added", "updated", "deleted"]);
      expect(told.map(({ object }) => object.metadata.resourceVersion).slice(0, 2)).toEqual([
        metadata.resourceVersion,
        edited.metadata.resourceVersion,
      ]);
    });
  });

  test("a list of metadata comes page by page without content", async () => {
    for (const name of ["a", "b", "c"]) await applied(secret(name, "swordfish"));
    const names: string[] = [];
    const { client, namespace } = { ...used.stage.cluster, namespace: used.stage.namespace };
    for await (const { items } of client.of(Secret).pages({ namespace, limit: 2, isMetadataOnly: true })) {
      names.push(...items.map(({ metadata }) => metadata.name));
      expect(items.filter(({ data }) => data !== undefined)).toEqual([]);
    }
    expect(names).toEqual(["a", "b", "c"]);
  });

  test("an apply that wants no more is answered by the metadata", async () => {
    const options = { fieldManager: "people", isAnsweredBriefly: true };
    const answer = await used.stage.cluster.client.of(Secret).apply(secret("brief", "swordfish"), options);
    const { metadata } = await used.stage.live<Secret>({ kind: Secret, ...answer.metadata });
    expect(answer.metadata).toMatchObject({ name: "brief", resourceVersion: metadata.resourceVersion });
    expect(answer.data).toBeUndefined();
  });

  describe("on a cache of metadata the applier", () => {
    const chart = (): ApplyEntry => {
      const metadata = { namespace: used.stage.namespace, name: "chart" };
      const object: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { depth: "3" } };
      return apply({ kind: ConfigMap, ...metadata }, object);
    };
    const copy = (hash: string): ApplyEntry => {
      const { namespace } = used.stage;
      const object = { apiVersion: "v1", kind: "Secret", metadata: { namespace, name: "copy" } } as Secret;
      const copyOf = { ref: { kind: Secret as unknown as Kind, namespace, name: "source" }, hash };
      return apply({ kind: Secret, namespace, name: "copy" }, object, { copyOf });
    };
    const dataOf = async ({ ref }: ApplyEntry): Promise<Readonly<Record<string, string>>> => {
      const { data = {} } = (await used.stage.live(ref)) as KubeObject & Pick<Secret, "data">;
      return data;
    };

    test("makes no request when idle; after a restart it reads each object once and writes nothing", async () => {
      const { stage, place } = used;
      const entries = [chart(), copy(copyHash(await applied(secret("source", "swordfish"))))];
      expect(outcomes(await stage.pass(entries))).toEqual(["ConfigMap written", "Secret written"]);
      const requests = await place.requests();
      expect(outcomes(await stage.pass(entries))).toEqual(["ConfigMap unchanged", "Secret unchanged"]);
      expect(await place.requests()).toEqual(requests);
      stage.restart();
      expect(outcomes(await stage.pass(entries))).toEqual(["ConfigMap unchanged", "Secret unchanged"]);
      const after = await place.requests();
      expect(after.slice(requests.length).toSorted()).toEqual([
        `get /api/v1/namespaces/${stage.namespace}/configmaps/chart`,
        `get /api/v1/namespaces/${stage.namespace}/secrets/copy`,
      ]);
      expect(outcomes(await stage.pass(entries))).toEqual(["ConfigMap unchanged", "Secret unchanged"]);
      expect(await place.requests()).toEqual(after);
    });

    test("puts right what somebody edited by hand", async () => {
      const { stage } = used;
      const entries = [chart(), copy(copyHash(await applied(secret("source", "swordfish"))))];
      await stage.pass(entries);
      const right = await Promise.all(entries.map(dataOf));
      for (const { ref } of entries) {
        const data = { depth: "aGVycmluZw==", password: "aGVycmluZw==" };
        const edited = await stage.cluster.witness.of(ref.kind).patch(ref, "merge", { data });
        await stage.seen(ref, edited.metadata.resourceVersion);
      }
      expect(outcomes(await stage.pass(entries))).toEqual(["ConfigMap written", "Secret written"]);
      expect(await Promise.all(entries.map(dataOf))).toMatchObject(right);
    });
  });
}
