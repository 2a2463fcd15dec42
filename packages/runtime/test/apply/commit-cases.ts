// Commit, then apply: what is written first, what is refused, and what does not wait for what.
import { ConfigMap, type Kind, type KubeObject, keyOf, type Ref, refTo, Secret } from "@chaski/kube";
import {
  type ApplyEntry,
  apply,
  copyHash,
  type Gate,
  LOCAL_CLUSTER,
  type ObservedChange,
  scale,
} from "@chaski/runtime";
import { until } from "@chaski/test/kube";
import { describe, expect, test } from "vitest";
import { outcomes } from "./outcomes.ts";
import { CONTROLLER } from "./stage.ts";
import { type PlaceStart, useStage } from "./use-stage.ts";
import { Voyage } from "./voyage.ts";

const kinds = [ConfigMap, Secret] as unknown as readonly Kind[];
export function commitCases(start: PlaceStart): void {
  const used = useStage(start, kinds);

  function chart(data: Record<string, string> = { depth: "3" }, name = "chart"): ApplyEntry {
    const { namespace } = used.stage;
    const object: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name }, data };
    return apply({ kind: ConfigMap, namespace, name }, object);
  }

  function chartOn(cluster = LOCAL_CLUSTER): { cluster: string; entries: readonly ApplyEntry[] } {
    return { cluster, entries: [chart()] };
  }

  async function exists(ref: Ref): Promise<boolean> {
    return await used.stage.live(ref).then(
      () => true,
      () => false,
    );
  }

  async function liveOwner(): Promise<Voyage> {
    return await used.stage.live({ kind: Voyage, ...used.stage.owner });
  }

  /** The cache shows the owner as it is on the server. */
  async function settled(): Promise<Readonly<KubeObject>> {
    const live = await liveOwner();
    await used.stage.seen({ kind: Voyage, ...used.stage.owner }, live.metadata.resourceVersion);
    return live;
  }

  describe("status", () => {
    test("is written before anything is applied, and not again while it says the same", async () => {
      const { stage } = used;
      const parts = { status: { phase: "sailing", crew: [] }, desired: [chartOn()] };
      expect(await stage.commit(parts)).toEqual({ outcome: "committed", hasChanged: true });
      expect((await settled()).metadata.resourceVersion).toBeDefined();
      const requests = await used.place.requests();
      expect(await stage.commit(parts)).toEqual({ outcome: "committed", hasChanged: false });
      stage.restart();
      expect(await stage.commit(parts)).toEqual({ outcome: "committed", hasChanged: false });
      expect((await used.place.requests()).filter((request) => request.includes("voyages"))).toEqual(
        requests.filter((request) => request.includes("voyages")),
      );
      expect((await liveOwner()).status).toMatchObject({ phase: "sailing" });
    });

    test("of which the server keeps a part only is not written again, whatever came right behind it", async () => {
      const { stage } = used;
      const parts = { status: { phase: "sailing", hull: { wood: "oak", rust: "red" } } };
      expect(await stage.commit(parts)).toEqual({ outcome: "committed", hasChanged: true });
      expect(((await settled()) as Voyage).status).toEqual({ phase: "sailing", hull: { wood: "oak" } });
      expect(await stage.commit(parts)).toEqual({ outcome: "committed", hasChanged: false });

      const other = { status: { ...parts.status, phase: "moored" } };
      await stage.commit(other);
      await stage.cluster.witness.of(Voyage).patch(stage.owner, "merge", { spec: { port: "Tromsø" } });
      await settled();
      await stage.commit(other);
      await settled();
      expect(await stage.commit(other)).toEqual({ outcome: "committed", hasChanged: false });
    });

    test("decided on an older version is refused, and nothing is applied", async () => {
      const { stage } = used;
      const stale = await settled();
      await stage.cluster.witness.of(Voyage).patch(stage.owner, "merge", { spec: { port: "Tromsø" } });
      const parts = { status: { phase: "sailing" }, desired: [chartOn()] };
      expect(await stage.commitFor(stale, parts)).toEqual({ outcome: "superseded" });
      expect(stage.applier.results(CONTROLLER, keyOf(stage.owner))).toEqual([]);
      expect(await exists(chart().ref)).toBe(false);
      expect((await liveOwner()).status).toBeUndefined();
    });

    test("of an owner that was deleted and made anew is refused", async () => {
      const { stage } = used;
      const former = await settled();
      await stage.cluster.witness.of(Voyage).delete(stage.owner);
      await stage.createOwner();
      expect(await stage.commitFor(former, { status: { phase: "sailing" } })).toEqual({ outcome: "superseded" });
    });

    test("of an owner that is gone is refused", async () => {
      const { stage } = used;
      const former = await settled();
      await stage.cluster.witness.of(Voyage).delete(stage.owner);
      const parts = { status: { phase: "sailing" }, desired: [chartOn()] };
      expect(await stage.commitFor(former, parts)).toEqual({ outcome: "superseded" });
      expect(await exists(chart().ref)).toBe(false);
    });

    test("keeps what others wrote there, and drops what we no longer say", async () => {
      const { stage } = used;
      await stage.commit({ status: { phase: "sailing", since: "dawn" } });
      await stage.cluster.witness
        .of(Voyage)
        .patch(
          stage.owner,
          "merge",
          { status: { weather: "fair" } },
          { subresource: "status", fieldManager: "weatherman" },
        );
      await settled();
      await stage.commit({ status: { phase: "moored" } });
      expect((await liveOwner()).status).toEqual({ phase: "moored", weather: "fair" });
      await settled();
      expect(await stage.commit({ status: { phase: "moored" } })).toEqual({ outcome: "committed", hasChanged: false });
    });

    test("holds the gates with the time since when each verdict holds", async () => {
      const { stage } = used;
      const gate = (verdict: Gate["verdict"], value: string): Gate => ({
        name: "Tide",
        verdict,
        value,
        message: "tide",
      });
      await stage.commit({ status: { phase: "moored" }, gates: [gate("waiting", "1")] });
      await settled();
      // A value alone waits for its turn.
      expect(await stage.commit({ status: { phase: "moored" }, gates: [gate("waiting", "2")] })).toMatchObject({
        hasChanged: false,
      });
      expect(await stage.commit({ status: { phase: "moored" }, gates: [gate("passed", "3")] })).toMatchObject({
        hasChanged: true,
      });
      expect((await liveOwner()).status).toMatchObject({
        gates: [{ verdict: "passed", value: "3", since: expect.stringMatching(/^\d{4}-/) }],
      });
    });
  });

  describe("patches on people's objects", () => {
    test("follow the status in the same commit, and are made once", async () => {
      const { stage } = used;
      const owner = await settled();
      const parts = {
        status: { phase: "sailing" },
        patches: [
          {
            ref: refTo(Voyage, owner) as unknown as Ref,
            resourceVersion: owner.metadata.resourceVersion ?? "",
            patch: { metadata: { finalizers: ["applier.chaski.dev/moor"] } },
          },
        ],
      };
      expect(await stage.commitFor(owner, parts)).toEqual({ outcome: "committed", hasChanged: true });
      const after = await settled();
      expect(after.metadata.finalizers).toEqual(["applier.chaski.dev/moor"]);
      const again = parts.patches.map((patch) => ({
        ...patch,
        resourceVersion: after.metadata.resourceVersion ?? "",
      }));
      expect(await stage.commit({ ...parts, patches: again })).toEqual({ outcome: "committed", hasChanged: false });
      await stage.cluster.witness.of(Voyage).patch(stage.owner, "merge", { metadata: { finalizers: null } });
    });

    test("on an older version are refused, and nothing is applied", async () => {
      const { stage } = used;
      const owner = await settled();
      const ref = refTo(Voyage, owner) as unknown as Ref;
      const patches = [{ ref, resourceVersion: "1", patch: { spec: { port: "Oslo" } } }];
      expect(await stage.commitFor(owner, { patches, desired: [chartOn()] })).toEqual({ outcome: "superseded" });
      expect(await exists(chart().ref)).toBe(false);
    });
  });

  describe("leadership", () => {
    test("is asked for before every write", async () => {
      const { stage } = used;
      stage.restart({ mayWrite: () => false });
      const parts = { status: { phase: "sailing" }, desired: [chartOn()] };
      expect(await stage.commit(parts)).toEqual({ outcome: "superseded" });
      expect((await liveOwner()).status).toBeUndefined();
      await stage.commit({ desired: [chartOn()] });
      await stage.applier.drain(new AbortController().signal);
      expect(await exists(chart().ref)).toBe(false);
    });
  });

  describe("a fenced apply", () => {
    test("is refused when the object is not what was decided on any more", async () => {
      const { stage } = used;
      const fenced = (depth: string): ApplyEntry => ({ ...chart({ depth }), isFenced: true });
      await stage.pass([fenced("1")]);
      const { metadata } = await stage.live(chart().ref);
      await stage.seen(chart().ref, metadata.resourceVersion);
      const release = stage.holdCommits();
      const desired = [{ cluster: LOCAL_CLUSTER, entries: [fenced("2")] }];
      const committing = stage.commit({ status: { n: 1 }, desired });
      await stage.cluster.witness.of(chart().ref.kind).patch(chart().ref, "merge", { data: { wrecks: "1" } });
      release();
      await committing;
      await until(
        () => stage.applier.results(CONTROLLER, keyOf(stage.owner))[0]?.entries[0]?.outcome === "failed" || undefined,
        {
          what: "the fenced write was refused",
        },
      );
      expect((await stage.live({ ...chart().ref, kind: ConfigMap })).data).toEqual({ depth: "1", wrecks: "1" });
      await settled();
      await stage.pass([fenced("2")]);
      expect((await stage.live({ ...chart().ref, kind: ConfigMap })).data).toEqual({ depth: "2", wrecks: "1" });
    });
  });

  describe("a copy of a Secret", () => {
    const copy = (hash: string): ApplyEntry => {
      const { namespace } = used.stage;
      const object = { apiVersion: "v1", kind: "Secret", metadata: { namespace, name: "copy" } } as Secret;
      const copyOf = { ref: { kind: Secret as unknown as Kind, namespace, name: "source" }, hash };
      return apply({ kind: Secret, namespace, name: "copy" }, object, { copyOf });
    };
    const source = async (password: string): Promise<string> => {
      const { namespace } = used.stage;
      const data = { password: Buffer.from(password).toString("base64") };
      const secret: Secret = { apiVersion: "v1", kind: "Secret", metadata: { namespace, name: "source" }, data };
      const client = used.stage.cluster.witness.of(Secret);
      return copyHash(await client.apply(secret, { fieldManager: "people" }));
    };
    const copied = async (): Promise<string> => {
      const { data = {} } = await used.stage.live({ ...copy("").ref, kind: Secret });
      return Buffer.from(data["password"] ?? "", "base64").toString();
    };

    test("follows its source, is put right when edited, and is read only when in doubt", async () => {
      const { stage } = used;
      const first = await source("swordfish");
      expect(outcomes(await stage.pass([copy(first)]))).toEqual(["Secret written"]);
      expect(await copied()).toBe("swordfish");
      const requests = await used.place.requests();
      expect(outcomes(await stage.pass([copy(first)]))).toEqual(["Secret unchanged"]);
      expect(await used.place.requests()).toEqual(requests);

      const second = await source("marlin");
      expect(outcomes(await stage.pass([copy(second)]))).toEqual(["Secret written"]);
      expect(await copied()).toBe("marlin");

      const data = { password: Buffer.from("edited").toString("base64") };
      const edited = await stage.cluster.witness.of(copy("").ref.kind).patch(copy("").ref, "merge", { data });
      await stage.seen(copy("").ref, edited.metadata.resourceVersion);
      expect(outcomes(await stage.pass([copy(second)]))).toEqual(["Secret written"]);
      expect(await copied()).toBe("marlin");
      stage.restart();
      expect(outcomes(await stage.pass([copy(second)]))).toEqual(["Secret unchanged"]);
    });

    test("of a source that has moved on is not written", async () => {
      await source("swordfish");
      expect(outcomes(await used.stage.pass([copy("another")]))).toEqual(["Secret failed SourceChanged"]);
      expect(await exists(copy("").ref)).toBe(false);
    });
  });

  describe("observing", () => {
    test("writes nothing, and tells what it would have written", async () => {
      const { stage } = used;
      await stage.pass([chart({ depth: "1" })]);
      const changes: ObservedChange[] = [];
      stage.restart({ observe: (change) => changes.push(change) });
      const before = await used.place.requests();
      await stage.commit({ status: { phase: "sailing" } });
      const results = await stage.pass([chart({ depth: "2" }), chart({}, "other")]);
      expect(outcomes(results)).toEqual(["ConfigMap observed", "ConfigMap observed"]);
      expect(changes.map(({ verb, ref }) => `${verb} ${ref.kind.kind} ${ref.name}`).toSorted()).toEqual([
        "apply ConfigMap chart",
        "apply Voyage first",
        "create ConfigMap other",
      ]);
      const fields = changes.flatMap((change) => change.fields);
      expect(fields).toContainEqual({ path: "data.depth", from: "1", to: "2" });
      const made = (await used.place.requests()).slice(before.length);
      expect(made.filter((request) => !request.startsWith("get "))).toEqual([]);
    });
  });

  describe("lanes", () => {
    test("a failure stops what comes after it, and nothing else", async () => {
      const { stage } = used;
      const { namespace } = stage;
      const bad = chart({ "not a key": "x" }, "bad");
      const after = { ...chart({}, "after"), after: [bad.ref] };
      const ghost = { kind: ConfigMap as unknown as Kind, namespace, name: "ghost" };
      const results = await stage.pass([bad, after, chart(), scale(ghost, 3)]);
      expect(outcomes(results)).toEqual([
        "ConfigMap failed Invalid",
        "ConfigMap blocked",
        "ConfigMap written",
        "ConfigMap failed NotFound",
      ]);
    });
  });
}
