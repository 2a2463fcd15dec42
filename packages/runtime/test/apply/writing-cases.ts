// What the applier writes, and above all what it does not.
import { ConfigMap, Deployment, type KubeObject, keyOf, ReplicaSet, Service } from "@chaski/kube";
import { type ApplyEntry, apply } from "@chaski/runtime";
import { until } from "@chaski/test/kube";
import { describe, expect, test } from "vitest";
import { everyEntry, everyKind } from "./every-kind.ts";
import { outcomes } from "./outcomes.ts";
import { type PlaceStart, useStage } from "./use-stage.ts";

export function writingCases(start: PlaceStart): void {
  const used = useStage(start, everyKind);

  describe("an idle pass", () => {
    test("of every kind makes no request", async () => {
      const { stage } = used;
      const entries = everyEntry(stage.namespace);
      expect(outcomes(await stage.pass(entries))).toEqual(everyOutcome(entries, "written"));
      const requests = await used.place.requests();
      const written = await ourFields(entries);

      expect(outcomes(await stage.pass(entries))).toEqual(everyOutcome(entries, "unchanged"));
      expect(await used.place.requests()).toEqual(requests);
      expect(await ourFields(entries)).toEqual(written);
    });

    test("of every kind writes nothing after a restart, and then makes no request", async () => {
      const { stage } = used;
      const entries = everyEntry(stage.namespace);
      await stage.pass(entries);
      const before = await used.place.requests();
      const written = await ourFields(entries);

      stage.restart();
      expect(outcomes(await stage.pass(entries))).toEqual(everyOutcome(entries, "unchanged"));
      const after = await used.place.requests();
      // An empty string is dropped by the server, which nobody can tell from a removed one without asking it.
      const env = `get /apis/apps/v1/namespaces/${stage.namespace}/deployments/web`;
      expect(after.slice(before.length)).toEqual([env]);
      expect(outcomes(await stage.pass(entries))).toEqual(everyOutcome(entries, "unchanged"));
      expect(await used.place.requests()).toEqual(after);
      expect(await ourFields(entries)).toEqual(written);
    });
  });

  function everyOutcome(entries: readonly ApplyEntry[], outcome: string): readonly string[] {
    return entries.map(({ ref }) => `${ref.kind.kind} ${outcome}`);
  }

  /** What shows any write of ours; controllers write statuses meanwhile. */
  async function ourFields(entries: readonly ApplyEntry[]): Promise<Record<string, unknown>> {
    const found = await Promise.all(
      entries.map(async ({ ref }) => {
        const { metadata, spec, data } = (await used.stage.live(ref)) as KubeObject & {
          spec?: unknown;
          data?: unknown;
        };
        const managed = metadata.managedFields?.filter(({ manager }) => manager?.startsWith("chaski-"));
        return [`${ref.kind.kind} ${keyOf(ref)}`, { managed, spec, data }] as const;
      }),
    );
    return Object.fromEntries(found);
  }

  describe("a port that was renumbered by hand", () => {
    const http = { name: "http", port: 80, targetPort: "http" };
    const extra = { name: "extra", port: 90, targetPort: 9090 };

    test.each([
      { what: "goes back to its number", edited: [{ ...http, port: 81 }], left: ["http 80"] },
      { what: "and what else was added stays", edited: [{ ...http, port: 81 }, extra], left: ["extra 90", "http 80"] },
    ])("$what", async ({ edited, left }) => {
      const { stage } = used;
      const { namespace } = stage;
      const ref = { kind: Service, namespace, name: "renumbered" };
      const spec = { ports: [http], selector: { app: "web" } };
      const object: Service = { apiVersion: "v1", kind: "Service", metadata: { namespace, name: ref.name }, spec };
      const entry = apply(ref, object);
      await stage.pass([entry]);
      const patch = [{ op: "replace", path: "/spec/ports", value: edited }];
      const { metadata } = await stage.cluster.witness
        .of(Service)
        .patch(ref, "json", patch, { fieldManager: "kubectl" });
      await stage.seen(ref, metadata.resourceVersion);

      expect(outcomes(await stage.pass([entry]))).toEqual(["Service written"]);
      const live = await stage.live(ref);
      expect(live.spec?.ports?.map(({ name, port }) => `${name} ${port}`).toSorted()).toEqual(left);
      expect(outcomes(await stage.pass([entry]))).toEqual(["Service unchanged"]);
    });
  });

  describe("initial fields", () => {
    const labelled = (kind: typeof ReplicaSet | typeof Deployment, tide: string): ApplyEntry => {
      const { namespace } = used.stage;
      const metadata = { namespace, name: "web", labels: { tide } };
      const selector = { matchLabels: { app: "web" } };
      const template = {
        metadata: { labels: { app: "web" } },
        spec: { containers: [{ name: "web", image: "registry.test/web:1" }] },
      };
      const object = { apiVersion: "apps/v1", kind: kind.kind, metadata } as unknown as ReplicaSet;
      const initial = { spec: { replicas: 2, selector, template } };
      return apply({ kind, namespace, name: "web" }, object, { initial });
    };

    test.each([ReplicaSet, Deployment])(
      "a scaler that set replicas to 20 finds them so at every version after a label of ours has changed: $kind",
      async (kind) => {
        const { stage } = used;
        await stage.pass([labelled(kind, "low")]);
        const { ref } = labelled(kind, "low");
        const client = stage.cluster.witness.of(ref.kind);
        const scale = await until(
          async () => {
            const current = await client.getScale(ref);
            return await client.updateScale({ ...current, spec: { replicas: 20 } }).catch(() => undefined);
          },
          { what: "the scaler has written" },
        );

        const versions = watchReplicas(kind, scale.metadata.resourceVersion ?? "");
        await stage.pass([labelled(kind, "high")]);
        stage.restart();
        await stage.pass([labelled(kind, "ebb")]);
        const seen = await versions("ebb");
        expect(seen.map(({ tide }) => tide)).toEqual(expect.arrayContaining(["high", "ebb"]));
        expect(seen.filter(({ replicas }) => replicas !== 20)).toEqual([]);
      },
    );

    test("given at creation are never asserted again, nor removed", async () => {
      const { stage } = used;
      await stage.pass([labelled(Deployment, "low")]);
      await stage.pass([labelled(Deployment, "high")]);
      const live = await stage.live({ ...labelled(Deployment, "low").ref, kind: Deployment });
      const owned = Object.fromEntries(
        (live.metadata.managedFields ?? [])
          .filter(({ operation }) => operation === "Apply")
          .map(({ manager, fieldsV1 }) => [manager, Object.keys(fieldsV1 ?? {})]),
      );
      expect(owned).toEqual({ "chaski-initial": ["f:spec"], "chaski-test.voyage": ["f:metadata"] });
      expect(live.spec?.replicas).toBe(2);
    });

    test("cost one call together with the rest of the creation", async () => {
      const { stage, place } = used;
      const before = await place.requests();
      await stage.pass([labelled(Deployment, "low")]);
      const made = (await place.requests()).slice(before.length).filter((request) => request.includes("deployments"));
      expect(made).toHaveLength(1);
    });

    test("are all there when only the first write of a creation was made before a crash", async () => {
      const { stage } = used;
      const entry = labelled(ReplicaSet, "low");
      const half = { ...entry.object, ...entry.initial } as KubeObject;
      await stage.cluster.witness.of(entry.ref.kind).apply(half, { fieldManager: "chaski-initial" });
      expect(outcomes(await stage.pass([entry]))).toEqual(["ReplicaSet written"]);
      expect(outcomes(await stage.pass([entry]))).toEqual(["ReplicaSet unchanged"]);
      const live = await stage.live({ ...entry.ref, kind: ReplicaSet });
      expect(live.spec?.replicas).toBe(2);
      expect(live.metadata.labels).toMatchObject({ tide: "low" });
    });

    /** Every version of the object from here on, until one carries the label. */
    function watchReplicas(
      kind: typeof ReplicaSet | typeof Deployment,
      resourceVersion: string,
    ): (last: string) => Promise<readonly { tide: string | undefined; replicas: number | undefined }[]> {
      const { stage } = used;
      const seen: { tide: string | undefined; replicas: number | undefined }[] = [];
      const stop = new AbortController();
      const options = { namespace: stage.namespace, resourceVersion, signal: stop.signal };
      const watching = stage.cluster.witness
        .of(kind as typeof ReplicaSet)
        .watch(options, (events) => {
          for (const event of events) {
            if (event.type === "BOOKMARK") continue;
            seen.push({ tide: event.object.metadata.labels?.["tide"], replicas: event.object.spec?.replicas });
          }
          return undefined;
        })
        .catch(() => {});
      return async (last) => {
        await until(() => (seen.some(({ tide }) => tide === last) ? true : undefined), {
          what: `a version with ${last}`,
        });
        stop.abort();
        await watching;
        return seen;
      };
    }
  });

  describe("what somebody else changed", () => {
    const configMap = (data: Record<string, string>): ApplyEntry => {
      const { namespace } = used.stage;
      const metadata = { namespace, name: "chart", labels: { sea: "north" } };
      const object: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata, data };
      return apply({ kind: ConfigMap, namespace, name: "chart" }, object);
    };
    const edit = async (patch: Record<string, unknown>): Promise<void> => {
      const { ref } = configMap({});
      const edited = await used.stage.cluster.witness.of(ref.kind).patch(ref, "merge", patch);
      await used.stage.seen(ref, edited.metadata.resourceVersion);
    };

    test.each([
      { what: "a value", patch: { data: { depth: "9" } } },
      { what: "a field that was removed", patch: { data: { depth: null } } },
      { what: "a label", patch: { metadata: { labels: { sea: "south" } } } },
    ])("is put right where it is ours: $what", async ({ patch }) => {
      const { stage } = used;
      await stage.pass([configMap({ depth: "3" })]);
      await edit(patch);
      expect(outcomes(await stage.pass([configMap({ depth: "3" })]))).toEqual(["ConfigMap written"]);
      const live = await stage.live({ ...configMap({}).ref, kind: ConfigMap });
      expect([live.data, live.metadata.labels?.["sea"]]).toEqual([{ depth: "3" }, "north"]);
    });

    test("stays where it is not ours", async () => {
      const { stage } = used;
      await stage.pass([configMap({ depth: "3" })]);
      await edit({ data: { wrecks: "2" }, metadata: { labels: { theirs: "yes" } } });
      expect(outcomes(await stage.pass([configMap({ depth: "3" })]))).toEqual(["ConfigMap unchanged"]);
      await stage.pass([configMap({ depth: "4" })]);
      const live = await stage.live({ ...configMap({}).ref, kind: ConfigMap });
      expect(live.data).toEqual({ depth: "4", wrecks: "2" });
      expect(live.metadata.labels).toMatchObject({ theirs: "yes" });
    });

    test("a field that we stop setting goes", async () => {
      const { stage } = used;
      await stage.pass([configMap({ depth: "3", current: "east" })]);
      await stage.pass([configMap({ depth: "3" })]);
      const live = await stage.live({ ...configMap({}).ref, kind: ConfigMap });
      expect(live.data).toEqual({ depth: "3" });
    });
  });
}
