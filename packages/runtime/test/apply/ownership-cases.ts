// Whose objects are touched, adopted and removed.
import {
  ConfigMap,
  Deployment,
  type Kind,
  type KubeObject,
  type ManagedFieldsEntry,
  Namespace,
  type Ref,
  ReplicaSet,
  Secret,
  Service,
} from "@chaski/kube";
import {
  type ApplyEntry,
  apply,
  type KindClient,
  keep,
  LOCAL_CLUSTER,
  MADE_ANNOTATION,
  OWNER_ANNOTATION,
  remove,
} from "@chaski/runtime";
import { until } from "@chaski/test/kube";
import { describe, expect, test } from "vitest";
import type { StageCluster } from "./stage.ts";
import { outcomes } from "./outcomes.ts";
import { Voyage } from "./voyage.ts";
import { type PlaceStart, useStage } from "./use-stage.ts";

const kinds = [ConfigMap, Secret, Service, Namespace, ReplicaSet, Deployment] as unknown as readonly Kind[];
export function ownershipCases(start: PlaceStart): void {
  const used = useStage(start, kinds, { ignoreLabel: "test.dev/ignore", replacedManagers: ["old-operator"] });

  function chart(name = "chart", data: Record<string, string> = { depth: "3" }): ApplyEntry {
    const { namespace } = used.stage;
    const object: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name }, data };
    return apply({ kind: ConfigMap, namespace, name }, object);
  }

  /** Made or changed by somebody else, and seen by our cache. */
  async function theirs(
    object: KubeObject & Record<string, unknown>,
    kind: Kind,
    fieldManager = "kubectl",
  ): Promise<void> {
    const { metadata } = await used.stage.cluster.witness.of(kind).create(object, { fieldManager });
    await used.stage.seen({ kind, ...object.metadata }, metadata.resourceVersion);
  }

  function theirChart(metadata: Partial<KubeObject["metadata"]>, data: Record<string, string> = {}): Promise<void> {
    const { namespace } = used.stage;
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name: "chart", ...metadata }, data };
    return theirs(object, ConfigMap);
  }

  async function exists(ref: Ref): Promise<boolean> {
    return await used.stage.live(ref).then(
      ({ metadata }) => metadata.deletionTimestamp === undefined,
      () => false,
    );
  }

  /** From here on the applier's cache of ConfigMaps hears of nothing. */
  function deafen(other: Record<string, unknown> = {}, client: Partial<KindClient<KubeObject>> = {}): void {
    const { stage } = used;
    const object = stage.cached(chart().ref);
    const objects = object ? [object] : [];
    const view = { get: () => object, list: () => objects, byIndex: () => objects };
    const deaf = {
      ...view,
      inNamespace: () => view,
      hasSynced: true,
      isServed: true,
      caughtUp: async () => {},
      ...other,
    };
    const { caches, client: real } = stage.cluster;
    const isDeaf = ({ kind }: Kind): boolean => kind === "ConfigMap";
    const cluster = {
      ...stage.cluster,
      caches: { of: (kind: Kind) => (isDeaf(kind) ? deaf : caches.of(kind)), wrote: () => {} },
      client: { of: (kind: Kind) => (isDeaf(kind) ? { ...bound(real.of(kind)), ...client } : real.of(kind)) },
    };
    stage.restart({ cluster: () => cluster as unknown as StageCluster });
  }

  function bound(client: KindClient<KubeObject>): Pick<KindClient<KubeObject>, "apply" | "get" | "patch" | "delete"> {
    return {
      apply: (...args) => client.apply(...args),
      get: (...args) => client.get(...args),
      patch: (...args) => client.patch(...args),
      delete: (...args) => client.delete(...args),
    };
  }

  async function caughtUp(): Promise<void> {
    const { metadata } = await used.stage.live(chart().ref);
    await used.stage.seen(chart().ref, metadata.resourceVersion);
  }

  describe("a write on what we have not noticed yet", () => {
    test("does not bring back what somebody has just deleted", async () => {
      const { stage } = used;
      await stage.pass([chart()]);
      await caughtUp();
      deafen();
      await stage.cluster.witness.of(chart().ref.kind).delete(chart().ref);
      expect(outcomes(await stage.pass([chart("chart", { depth: "4" })]))).toEqual(["ConfigMap failed Conflict"]);
      expect(await exists(chart().ref)).toBe(false);
    });

    test("does not take what somebody has just created", async () => {
      const { stage } = used;
      deafen({}, { get: ({ namespace = "" }) => stage.live({ ...chart("nothing").ref, namespace }) });
      await theirChart({}, { depth: "theirs" });
      expect(outcomes(await stage.pass([chart()]))).toEqual(["ConfigMap failed Conflict"]);
      expect((await stage.live({ ...chart().ref, kind: ConfigMap })).data).toEqual({ depth: "theirs" });
    });

    test("is waited for before anything is counted", async () => {
      const { stage } = used;
      const names = ["a", "b", "c", "d"];
      await stage.pass(names.map((name) => chart(name)));
      const { caches } = stage.cluster;
      await Promise.all(
        names.map((name) => caches.of(ConfigMap).caughtUp(chart(name).ref, new AbortController().signal)),
      );
      let hasWaited = false;
      const shown = (): readonly KubeObject[] => names.flatMap((name) => stage.cached(chart(name).ref) ?? []);
      const get = (name: string): unknown => (hasWaited ? stage.cached(chart(name).ref) : undefined);
      const view = { get, byIndex: () => (hasWaited ? shown() : []) };
      const wait = async (): Promise<void> => void (hasWaited = true);
      deafen({ ...view, inNamespace: () => view, caughtUp: wait });
      const results = await stage.pass(names.map((name) => remove(chart(name).ref, "test")));
      expect(outcomes(results)).toEqual(names.map(() => "ConfigMap failed Stalled"));
    });
  });

  describe("an object that is there before us", () => {
    test("is left alone when it carries the ignore label", async () => {
      await theirChart({ labels: { "test.dev/ignore": "" } });
      expect(outcomes(await used.stage.pass([chart()]))).toEqual(["ConfigMap ignored"]);
      expect((await used.stage.live({ ...chart().ref, kind: ConfigMap })).data ?? {}).toEqual({});
    });

    test("is left alone when another owner has claimed it", async () => {
      const { namespace } = used.stage;
      const other = `harbour test.voyage ${namespace}/second ConfigMap:${namespace}/chart`;
      await theirChart({ annotations: { [OWNER_ANNOTATION]: other } });
      const [result] = await used.stage.pass([chart()]);
      expect(result).toMatchObject({ outcome: "foreign", message: expect.stringContaining(`${namespace}/second`) });
    });

    test("is left alone when another controller owns it", async () => {
      const { stage } = used;
      const other = {
        apiVersion: "applier.chaski.dev/v1",
        kind: "Voyage",
        metadata: { ...stage.owner, name: "second" },
      };
      const { apiVersion, kind, metadata } = await stage.cluster.witness.of(Voyage).create(other);
      const controller = { apiVersion, kind, name: "second", uid: metadata.uid ?? "", controller: true };
      await theirChart({ ownerReferences: [controller] });
      expect(outcomes(await used.stage.pass([chart()]))).toEqual(["ConfigMap foreign"]);
      expect(outcomes(await used.stage.pass([remove(chart().ref, "test")]))).toEqual(["ConfigMap foreign"]);
      expect(await exists(chart().ref)).toBe(true);
    });

    test("is adopted when nobody has, without a co-owned field and with what others added", async () => {
      await theirChart({ labels: { theirs: "yes" } }, { depth: "3", wrecks: "2" });
      expect(outcomes(await used.stage.pass([chart()]))).toEqual(["ConfigMap written"]);
      const live = await used.stage.live({ ...chart().ref, kind: ConfigMap });
      expect(live.data).toEqual({ depth: "3", wrecks: "2" });
      expect(live.metadata.labels).toMatchObject({ theirs: "yes" });
      expect(coOwned(live)).toEqual([]);
      await used.stage.pass([chart("chart", {})]);
      expect((await used.stage.live({ ...chart().ref, kind: ConfigMap })).data).toEqual({ wrecks: "2" });
    });

    test("of a replaced operator becomes ours whole, but keeps what we give at creation only", async () => {
      const { stage } = used;
      const ref = { kind: Deployment as unknown as Kind, namespace: stage.namespace, name: "web" };
      await theirs(deployment("old", { replicas: 7, paused: true }), ref.kind, "old-operator");
      const wanted = deployment("new", {});
      const entry = apply(ref, wanted, { initial: { spec: { replicas: 2 } } });
      expect(outcomes(await stage.pass([entry]))).toEqual(["Deployment written"]);
      const live = await stage.live({ ...ref, kind: Deployment });
      expect(live.spec).toMatchObject({ replicas: 7 });
      expect(live.spec?.paused).toBeUndefined();
      expect(live.spec?.template.spec?.containers.map(({ name }) => name)).toEqual(["new"]);
      expect(managers(live)).toEqual(new Set(["chaski-initial", "chaski-test.voyage"]));
      expect(coOwned(live)).toEqual([]);
      expect(outcomes(await stage.pass([entry]))).toEqual(["Deployment unchanged"]);
    });

    test.each(["old-operator", "kubectl"])("of %s keeps its replicas, and its spec if we set none", async (maker) => {
      const { stage } = used;
      const ref = { kind: Deployment as unknown as Kind, namespace: stage.namespace, name: "web" };
      await theirs(deployment("web", { replicas: 7 }), ref.kind, maker);
      const { spec } = await stage.live({ ...ref, kind: Deployment });
      const { apiVersion, kind, metadata } = deployment("web", {});
      await stage.pass([apply(ref, { apiVersion, kind, metadata: { ...metadata, labels: { tide: "low" } } })]);
      await stage.pass([apply(ref, { apiVersion, kind, metadata })]);
      expect((await stage.live({ ...ref, kind: Deployment })).spec).toEqual(spec);
      await stage.pass([apply(ref, deployment("next", {}))]);
      expect((await stage.live({ ...ref, kind: Deployment })).spec?.replicas).toBe(7);
    });

    test("made by plain updates loses list items that we no longer want", async () => {
      const { stage } = used;
      const ref = { kind: Deployment as unknown as Kind, namespace: stage.namespace, name: "web" };
      await theirs(deployment("web", { replicas: 1 }), ref.kind);
      await stage.pass([apply(ref, deployment("web", {}))]);
      expect(outcomes(await stage.pass([apply(ref, deployment("next", {}))]))).toEqual(["Deployment written"]);
      const live = await stage.live({ ...ref, kind: Deployment });
      expect(live.spec?.template.spec?.containers.map(({ name }) => name)).toEqual(["next"]);
    });

    function deployment(container: string, spec: Record<string, unknown>): KubeObject & Record<string, unknown> {
      const template = {
        metadata: { labels: { app: "web" } },
        spec: { containers: [{ name: container, image: "registry.test/web:1" }] },
      };
      return {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { namespace: used.stage.namespace, name: "web" },
        spec: { selector: { matchLabels: { app: "web" } }, template, ...spec },
      };
    }
  });

  describe("a copy of our labels and annotations", () => {
    test("is nobody's: it survives every pass, and does not count as left out", async () => {
      const { stage } = used;
      await stage.pass([chart()]);
      const { labels, annotations } = (await stage.live(chart().ref)).metadata;
      await theirChart({ name: "copy", ...(labels && { labels }), ...(annotations && { annotations }) });
      const copy = { ...chart().ref, name: "copy" };
      expect(outcomes(await stage.pass([chart()]))).toEqual(["ConfigMap unchanged"]);
      expect(outcomes(await stage.pass([keep(chart().ref), remove(copy, "test")]))).toEqual([
        "ConfigMap kept",
        "ConfigMap foreign",
      ]);
      expect(outcomes(await stage.pass([remove(chart().ref, "test")]))).toEqual(["ConfigMap removed"]);
      expect([await exists(chart().ref), await exists(copy)]).toEqual([false, true]);
    });
  });

  describe("removal", () => {
    test("is for what a decision names; what it leaves out is kept and told", async () => {
      const { stage } = used;
      await stage.pass([chart("a"), chart("b")]);
      expect(outcomes(await stage.pass([chart("a")]))).toEqual(["ConfigMap unchanged", "ConfigMap unaccounted"]);
      expect(outcomes(await stage.pass([chart("a"), remove(chart("b").ref, "test")]))).toEqual([
        "ConfigMap unchanged",
        "ConfigMap removed",
      ]);
      expect([await exists(chart("a").ref), await exists(chart("b").ref)]).toEqual([true, false]);
      expect(outcomes(await stage.pass([chart("a"), remove(chart("b").ref, "test")]))).toEqual([
        "ConfigMap unchanged",
        "ConfigMap removed",
      ]);
    });

    test("takes only the object that was seen: one that changed meanwhile stays until it was looked at", async () => {
      const { stage } = used;
      await stage.pass([chart()]);
      await caughtUp();
      deafen();
      await stage.cluster.witness.of(chart().ref.kind).patch(chart().ref, "merge", { data: { wrecks: "1" } });
      expect(outcomes(await stage.pass([remove(chart().ref, "test")]))).toEqual(["ConfigMap failed Conflict"]);
      expect(await exists(chart().ref)).toBe(true);
    });

    test("waits for a person when it takes more than half of an owner's objects, unless the owner is deleted", async () => {
      const { stage } = used;
      const names = ["a", "b", "c", "d", "e"];
      await stage.pass(names.map((name) => chart(name)));
      const most = names.map((name) => (name === "a" ? keep(chart(name).ref) : remove(chart(name).ref, "test")));
      expect(outcomes(await stage.pass(most))).toEqual([
        "ConfigMap kept",
        ...Array(4).fill("ConfigMap failed Stalled"),
      ]);
      expect(await exists(chart("e").ref)).toBe(true);

      const owner = await stage.cachedOwner();
      const deleted = { ...owner, metadata: { ...owner.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } };
      await stage.commitFor(deleted, { desired: [{ cluster: LOCAL_CLUSTER, entries: most }] });
      await until(async () => ((await exists(chart("e").ref)) ? undefined : true), {
        what: "the owner's objects are gone",
      });
      expect(await exists(chart("a").ref)).toBe(true);
    });

    test("of a Namespace counts with all that the owner has in it", async () => {
      const { stage } = used;
      const place = namespaced(`${stage.namespace}-made`);
      const inside = ["a", "b", "c"].map((name): ApplyEntry => {
        const { ref, object } = chart(name);
        const namespace = place.ref.name;
        const metadata = { ...object.metadata, namespace };
        return { ...chart(name), ref: { ...ref, namespace }, object: { ...object, metadata }, after: [place.ref] };
      });
      await stage.pass([place, ...inside]);
      const results = await stage.pass([remove(place.ref, "test"), ...inside.map(({ ref }) => keep(ref))]);
      expect(outcomes(results)[0]).toBe("Namespace failed Stalled");
      expect(await exists(place.ref)).toBe(true);
    });

    test("of a few objects is ordinary work", async () => {
      const { stage } = used;
      await stage.pass([chart("a"), chart("b")]);
      const both = [remove(chart("a").ref, "test"), remove(chart("b").ref, "test")];
      expect(outcomes(await stage.pass(both))).toEqual(["ConfigMap removed", "ConfigMap removed"]);
    });

    test("of a Namespace is for those that we made; others lose our claim only", async () => {
      const { stage } = used;
      const [made, adopted] = [`${stage.namespace}-made`, `${stage.namespace}-adopted`].map((name) => namespaced(name));
      if (!made || !adopted) throw new Error("unreachable");
      await theirs(
        { ...adopted.object, metadata: { name: adopted.ref.name, labels: { team: "a" } } },
        adopted.ref.kind,
      );
      await stage.pass([made, adopted]);
      expect((await stage.live(made.ref)).metadata.annotations).toHaveProperty([MADE_ANNOTATION]);
      expect((await stage.live(adopted.ref)).metadata.annotations).not.toHaveProperty([MADE_ANNOTATION]);
      // A later write must not forget which it was.
      await stage.pass([namespaced(made.ref.name, { sea: "north" }), namespaced(adopted.ref.name, { sea: "north" })]);

      const results = await stage.pass([remove(made.ref, "test"), remove(adopted.ref, "test")]);
      expect(outcomes(results)).toEqual(["Namespace removed", "Namespace kept"]);
      expect([await exists(made.ref), await exists(adopted.ref)]).toEqual([false, true]);
      const { labels, annotations } = (await stage.live(adopted.ref)).metadata;
      expect([labels, annotations ?? {}]).toEqual([{ team: "a", "kubernetes.io/metadata.name": adopted.ref.name }, {}]);
    });

    test("never takes a reserved Namespace, even one that we made", async () => {
      const { stage } = used;
      const entry = namespaced(`${stage.namespace}-made`);
      stage.restart({ reservedNamespaces: [`${stage.namespace}*`] });
      await stage.pass([entry]);
      expect(outcomes(await stage.pass([remove(entry.ref, "test")]))).toEqual(["Namespace kept"]);
      expect(await exists(entry.ref)).toBe(true);
    });

    test("of a kind whose cache has not synced does not happen", async () => {
      const { stage } = used;
      await stage.pass([chart()]);
      await caughtUp();
      deafen({ hasSynced: false });
      expect(outcomes(await stage.pass([remove(chart().ref, "test")]))).toEqual(["ConfigMap failed NotSynced"]);
      expect(await exists(chart().ref)).toBe(true);
    });

    function namespaced(name: string, labels: Record<string, string> = {}): ApplyEntry {
      const object: Namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } };
      return apply({ kind: Namespace, name }, object);
    }
  });

  function managers(object: KubeObject): ReadonlySet<string | undefined> {
    return new Set(fieldEntries(object).map(({ manager }) => manager));
  }

  function fieldEntries({ metadata }: KubeObject): readonly ManagedFieldsEntry[] {
    return (metadata.managedFields ?? []).filter(({ subresource }) => !subresource);
  }

  /** Paths that more than one manager holds. */
  function coOwned(object: KubeObject): readonly string[] {
    const holders = fieldEntries(object).flatMap(({ fieldsV1 }) => pathsOf(fieldsV1 ?? {}));
    return holders.filter((path, index) => holders.indexOf(path) !== index);
  }

  function pathsOf(tree: object, path = ""): readonly string[] {
    const parts = Object.entries(tree).filter(([part]) => part !== ".");
    return parts.length === 0 ? [path] : parts.flatMap(([part, below]) => pathsOf(below as object, `${path}/${part}`));
  }
}
