// Crashes between any two writes, scalers beside us, and caches that do not show everything.
import { RealClock } from "@chaski/clock";
import { ConfigMap, Deployment, type Kind, type KubeObject, Namespace, type Ref, Secret } from "@chaski/kube";
import { type ApplyEntry, apply, copyHash, type EntryResult, MANAGED_BY_LABEL, remove, scale } from "@chaski/runtime";
import { until } from "@chaski/test/kube";
import { describe, expect, test } from "vitest";
import { outcomes } from "./outcomes.ts";
import { connectCluster, DELIVERY, Stage } from "./stage.ts";
import { type PlaceStart, useStage } from "./use-stage.ts";

const clock = new RealClock();
const kinds = [ConfigMap, Secret, Namespace, Deployment] as unknown as readonly Kind[];
export function resilienceCases(start: PlaceStart): void {
  const used = useStage(start, kinds, { replacedManagers: ["old-operator"] });

  function chart(data: Record<string, string> = { depth: "3" }, name = "chart"): ApplyEntry {
    const { namespace } = used.stage;
    const object: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name }, data };
    return apply({ kind: ConfigMap, namespace, name }, object);
  }

  function deployment(name: string, spec: Record<string, unknown> = {}): KubeObject {
    const template = {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: "web", image: "registry.test/web:1" }] },
    };
    const metadata = { namespace: used.stage.namespace, name, labels: { tide: "low" } };
    const selector = { matchLabels: { app: name } };
    return { apiVersion: "apps/v1", kind: "Deployment", metadata, spec: { selector, template, ...spec } } as KubeObject;
  }

  function deployed(name: string, replicas = 2): ApplyEntry {
    const ref = { kind: Deployment as unknown as Kind, namespace: used.stage.namespace, name };
    return apply(ref, deployment(name), { initial: { spec: { replicas } } });
  }

  describe("a crash between any two writes", () => {
    test("leaves nothing that the next passes do not bring to the same end", async () => {
      const whole = await endState(Number.POSITIVE_INFINITY);
      expect(whole.asked).toBeGreaterThanOrEqual(11);
      for (let asked = 0; asked < whole.asked; asked++)
        expect((await endState(asked)).objects, `dead when it wanted to write for the ${asked + 1}th time`).toEqual(
          whole.objects,
        );
    });

    /** What there is after an applier died when it asked to write once too often, and another one has finished its work. */
    async function endState(askedMax: number): Promise<{ asked: number; objects: unknown }> {
      const { cluster } = used.stage;
      const namespace = await used.createNamespace();
      const stage = new Stage(cluster, namespace, { kinds, replacedManagers: ["old-operator"] });
      await stage.createOwner();
      const place: Namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: `${namespace}-made` } };
      const entries = [
        apply({ kind: Namespace, name: `${namespace}-made` }, place),
        ...[deployed("made"), deployed("adopted"), deployed("taken")].map((entry) => inNamespace(entry, namespace)),
        inNamespace(chart(), namespace),
      ];
      for (const [name, fieldManager] of [
        ["adopted", "kubectl"],
        ["taken", "old-operator"],
      ] as const) {
        const theirs = inNamespace(deployed(name), namespace);
        const object = { ...theirs.object, spec: { ...deploymentSpec(name), replicas: 7, minReadySeconds: 3 } };
        await cluster.witness.of(theirs.ref.kind).create(object, { fieldManager });
      }

      let asked = 0;
      stage.restart({ mayWrite: () => asked++ < askedMax });
      await stage.commit({ desired: [{ cluster: "local", entries }] });
      await stage.applier.drain(new AbortController().signal);
      stage.restart();
      await stage.pass(entries);
      expect(new Set(outcomes(await stage.pass(entries)).map((line) => line.split(" ")[1]))).toEqual(
        new Set(["unchanged"]),
      );
      return { asked, objects: await Promise.all(entries.map(async ({ ref }) => shown(await stage.live(ref)))) };
    }

    function deploymentSpec(name: string): object {
      return (deployment(name) as unknown as { spec: object }).spec;
    }

    function inNamespace(entry: ApplyEntry, namespace: string): ApplyEntry {
      const { ref, object } = entry;
      return {
        ...entry,
        ref: { ...ref, namespace },
        object: { ...object, metadata: { ...object.metadata, namespace } },
      };
    }

    /** All but what differs from one namespace to the next. */
    function shown(object: KubeObject): unknown {
      const { spec, data, metadata } = object as KubeObject & { spec?: unknown; data?: unknown };
      const owners = (metadata.managedFields ?? []).map(({ manager, operation, fieldsV1 }) => ({
        manager,
        operation,
        fieldsV1,
      }));
      const annotations = Object.keys(metadata.annotations ?? {});
      return {
        spec,
        data,
        annotations,
        owners: owners.toSorted((a, b) => ((a.manager ?? "") < (b.manager ?? "") ? -1 : 1)),
      };
    }
  });

  describe("replicas", () => {
    const web = (): Ref => deployed("web").ref;
    const replicas = async (): Promise<number | undefined> =>
      (await used.stage.live({ ...web(), kind: Deployment })).spec?.replicas;

    test("are set through the scale subresource, once", async () => {
      const { stage } = used;
      expect(outcomes(await stage.pass([deployed("web"), scale(web(), 5)]))).toEqual([
        "Deployment written",
        "Deployment written",
      ]);
      expect(await replicas()).toBe(5);
      const requests = await used.place.requests();
      expect(requests.at(-1)).toContain("/deployments/web/scale");
      expect(outcomes(await stage.pass([deployed("web"), scale(web(), 5)]))).toEqual([
        "Deployment unchanged",
        "Deployment unchanged",
      ]);
      expect(await used.place.requests()).toEqual(requests);
    });

    test("that somebody else has set since the decision are left to the next one", async () => {
      const { stage } = used;
      await stage.pass([deployed("web")]);
      const { metadata } = await stage.live(web());
      await stage.seen(web(), metadata.resourceVersion);
      const release = stage.holdCommits();
      const committing = stage.commit({
        status: { n: 1 },
        desired: [{ cluster: "local", entries: [scale(web(), 5)] }],
      });
      const current = await stage.cluster.witness.of(web().kind).getScale(web());
      await stage.cluster.witness.of(web().kind).updateScale({ ...current, spec: { replicas: 20 } });
      release();
      await committing;
      const [result] = await until(() => lastResult(stage), { what: "the lane has finished" });
      expect(result).toMatchObject({ outcome: "failed", reason: "Conflict" });
      expect(await replicas()).toBe(20);
    });

    test("of an object that others keep busy are set all the same", async () => {
      const { stage } = used;
      await stage.pass([deployed("web")]);
      const stop = new AbortController();
      const busy = (async () => {
        for (let n = 0; !stop.signal.aborted; n++) {
          await stage.cluster.witness.of(web().kind).patch(web(), "merge", { metadata: { labels: { busy: `${n}` } } });
          // A server in the process would leave nobody else a turn.
          await clock.sleep(1);
        }
      })();
      for (let wanted = 3; wanted < 13; wanted++) {
        const results = await until(
          async () => {
            const [result] = await stage.pass([scale(web(), wanted)]);
            return result?.outcome === "failed" ? undefined : [result];
          },
          { what: "replicas are set" },
        );
        expect(results).toMatchObject([{ outcome: "written" }]);
        expect(await replicas()).toBe(wanted);
      }
      stop.abort();
      await busy;
    });

    function lastResult(stage: Stage): readonly EntryResult[] | undefined {
      return stage.applier.results("test.voyage", `${stage.namespace}/first`)[0]?.entries;
    }
  });

  describe("a cache that shows only what carries our label, without its content", () => {
    const stageOf = async (): Promise<Stage & AsyncDisposable> => {
      const clients = { client: await used.place.applier(), witness: await used.place.witness() };
      const cluster = await connectCluster("local", clients, kinds, {
        labelSelector: `${MANAGED_BY_LABEL}=${DELIVERY}`,
        transform: ({ apiVersion, kind, metadata }) => ({ apiVersion, kind, metadata }),
      });
      const stage = new Stage(cluster, used.stage.namespace, { kinds });
      return Object.assign(stage, { [Symbol.asyncDispose]: () => cluster.stop() });
    };
    const edited = async (stage: Stage, patch: Record<string, unknown>): Promise<void> => {
      const { metadata } = await stage.cluster.witness.of(chart().ref.kind).patch(chart().ref, "merge", patch);
      await until(
        () =>
          stage.cached(chart().ref)?.metadata.resourceVersion === metadata.resourceVersion ||
          metadata.labels?.[MANAGED_BY_LABEL] === undefined
            ? true
            : undefined,
        { what: "the cache shows it" },
      );
    };

    test("is silent when nothing changed, and notices what it can't see by the version", async () => {
      await using stage = await stageOf();
      expect(outcomes(await stage.pass([chart()]))).toEqual(["ConfigMap written"]);
      expect(outcomes(await stage.pass([chart()]))).toEqual(["ConfigMap unchanged"]);
      stage.restart();
      expect(outcomes(await stage.pass([chart()]))).toEqual(["ConfigMap unchanged"]);
      await edited(stage, { data: { depth: "9" } });
      expect(outcomes(await stage.pass([chart()]))).toEqual(["ConfigMap written"]);
      expect((await stage.live({ ...chart().ref, kind: ConfigMap })).data).toEqual({ depth: "3" });
    });

    test("adopts what it did not see, and finds again what has lost the label", async () => {
      await using stage = await stageOf();
      await stage.cluster.witness.of(chart().ref.kind).create({ ...chart().object, data: { old: "1" } } as KubeObject);
      expect(outcomes(await stage.pass([chart()]))).toEqual(["ConfigMap written"]);
      await edited(stage, { metadata: { labels: { [MANAGED_BY_LABEL]: null } } });
      await until(() => (stage.cached(chart().ref) ? undefined : true), { what: "it has left the cache" });
      expect(outcomes(await stage.pass([chart()]))).toEqual(["ConfigMap written"]);
      await edited(stage, { metadata: { labels: { [MANAGED_BY_LABEL]: null } } });
      await until(() => (stage.cached(chart().ref) ? undefined : true), { what: "it has left the cache" });
      expect(outcomes(await stage.pass([remove(chart().ref, "test")]))).toEqual(["ConfigMap removed"]);
      await expect(stage.live(chart().ref)).rejects.toThrow("not found");
    });
  });

  test("a Secret that the server refuses is not quoted", async () => {
    const { stage } = used;
    const { namespace } = stage;
    const data = { "tls.key": Buffer.from("swordfish").toString("base64") };
    const source: Secret = { apiVersion: "v1", kind: "Secret", metadata: { namespace, name: "source" }, data };
    const hash = copyHash(await stage.cluster.witness.of(Secret).create(source));
    const object = { apiVersion: "v1", kind: "Secret", metadata: { namespace, name: "Not A Name" } } as Secret;
    const copyOf = { ref: { kind: Secret as unknown as Kind, namespace, name: "source" }, hash };
    const [result] = await stage.pass([apply({ kind: Secret, namespace, name: "Not A Name" }, object, { copyOf })]);
    expect(result).toMatchObject({ outcome: "failed" });
    expect(JSON.stringify(result)).not.toContain(data["tls.key"]);
    expect(JSON.stringify(result)).not.toContain("swordfish");
  });
}
