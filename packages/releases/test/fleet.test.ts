// What people do to a release and around it, on an embedded fleet.
import { Cluster, ReleaseManager, releaseKeys, Revision } from "@chaski/api";
import {
  ConfigMap,
  findCondition,
  HorizontalPodAutoscaler,
  Namespace,
  ReplicaSet,
  Secret,
  Service,
} from "@chaski/kube";
import { OWNER_ANNOTATION, replay } from "@chaski/runtime";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { decideRelease } from "../src/index.ts";
import { VirtualService } from "../src/objects/kinds.ts";
import { EmbeddedScene } from "./stage/embedded-scene.ts";
import { type FleetStage, found, type Target } from "./stage/fleet-stage.ts";
import { listeningLogger } from "./stage/listening-logger.ts";
import { targetOf } from "./stage/target-of.ts";

const LONG_MS = 120_000;
let scene: EmbeddedScene;
let stage: FleetStage;

beforeEach(async () => {
  scene = await EmbeddedScene.open();
  stage = scene.stage;
});
afterEach(() => scene.close());

function east(): Target {
  return targetOf(stage, "east");
}

describe("bad input", () => {
  const secretOf = (data: Readonly<Record<string, string>>): Secret => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "south", namespace: stage.namespace },
    data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString("base64")])),
  });
  const south = (config: Partial<NonNullable<Cluster["spec"]["config"]>> = {}): Cluster => ({
    apiVersion: "picchu.medium.engineering/v1alpha1",
    kind: "Cluster",
    metadata: { name: "south", namespace: stage.namespace, labels: { [releaseKeys.labels.fleet]: "elsewhere" } },
    spec: {
      enabled: true,
      config: { server: "https://south.invalid", "certificate-authority-data": "", ...config },
      ingresses: { public: { dnsName: "", defaultDomains: [] }, private: { dnsName: "", defaultDomains: [] } },
    },
  });
  const token = '{"token":"hush"}';

  test.each([
    { what: "no Secret", secret: undefined, config: {}, message: /Secret default\/south is missing/ },
    { what: "neither key", secret: { other: "x" }, config: {}, message: /neither auth-info nor kubeconfig/ },
    {
      what: "both keys",
      secret: { "auth-info": token, kubeconfig: "{}" },
      config: {},
      message: /both auth-info and kubeconfig/,
    },
    { what: "broken JSON", secret: { "auth-info": '{"token":"hush' }, config: {}, message: /not valid JSON/ },
    {
      what: "a broken authority",
      secret: { "auth-info": token },
      config: { "certificate-authority-data": "bm8gUEVN" },
      message: /certificate authority is no PEM/,
    },
    {
      what: "a broken address",
      secret: { "auth-info": token },
      config: { server: "south" },
      message: /should be a URL/,
    },
  ])(
    "a Cluster with $what says so, and nobody else notices",
    async ({ secret, config, message }) => {
      await scene.startOperator();
      if (secret) await stage.delivery.of(Secret).create(secretOf(secret));
      await stage.delivery.of(Cluster).create(south(config));
      await stage.joinAll();
      await stage.released("v1");
      const condition = (await stage.clusterCondition("south", "Ready")) ?? "";
      expect(condition).toMatch(/^False Unusable: /);
      expect(condition).toMatch(message);
      await stage.untilEvent(/^Cluster ClusterUnusable: /);
      expect(JSON.stringify(await stage.events()) + condition).not.toContain("hush");
    },
    LONG_MS,
  );

  test(
    "a Revision that names an unknown fleet waits and says for what",
    async () => {
      await scene.startOperator();
      await stage.joinAll();
      await stage.release("v1", { fleet: "nowhere" });
      await stage.until("told", async () => /no live cluster/.test((await stage.closedGates()).join()));
    },
    LONG_MS,
  );

  test(
    "two Revisions with one tag are one incarnation, and it is released",
    async () => {
      await scene.startOperator();
      await stage.joinAll();
      await stage.released("v1");
      await stage.release("v1", {}, {}, { name: "again" });
      await stage.pass(30_000);
      expect((await stage.releaseManager())?.status?.revisions?.map(({ tag }) => tag)).toEqual(["v1"]);
      expect(await stage.weights()).toBe("v1 100");
    },
    LONG_MS,
  );

  test(
    "D-06: a second ReleaseManager for the same app and target stalls, and says which one it is",
    async () => {
      await scene.startOperator();
      await stage.joinAll();
      await stage.released("v1");
      await stage.delivery.of(ReleaseManager).create({
        apiVersion: "picchu.medium.engineering/v1alpha1",
        kind: "ReleaseManager",
        metadata: { name: "twin", namespace: stage.namespace },
        spec: { app: stage.app, target: "production", fleet: "production" },
      });
      await stage.until("the twin stalls", async () => {
        const { status } = await stage.delivery.of(ReleaseManager).get({ namespace: stage.namespace, name: "twin" });
        return findCondition(status?.conditions, "Stalled")?.status === "True";
      });
      expect(await stage.weights()).toBe("v1 100");
    },
    LONG_MS,
  );
});

describe("by hand", () => {
  test(
    "what is deleted or edited comes back",
    async () => {
      await scene.startOperator();
      await stage.joinAll();
      await stage.released("v1");
      const { client } = east();
      const key = { namespace: stage.place, name: stage.app };
      const before = await client.of(VirtualService).get(key);
      await client.of(VirtualService).delete(key);
      await stage.until(
        "the route is back",
        async () => (await found(client.of(VirtualService).get(key))) !== undefined,
      );
      expect((await client.of(VirtualService).get(key)).spec).toEqual(before.spec);
      await client.of(Service).patch(key, "json", [{ op: "replace", path: "/spec/ports/0/targetPort", value: 81 }]);
      await stage.until(
        "the port is back",
        async () => (await client.of(Service).get(key)).spec?.ports?.[0]?.targetPort === "http",
      );
      await client.of(ReplicaSet).delete({ namespace: stage.place, name: "v1" });
      await stage.until("the pods are back", async () => (await stage.replicas()) === "v1 2");
    },
    LONG_MS,
  );

  test(
    "a namespace that is stuck on its way out is waited for, told, and made anew",
    async () => {
      await scene.startOperator();
      await stage.joinAll();
      await stage.released("v1");
      const { client } = east();
      const key = { namespace: stage.place, name: "clinging" };
      const metadata = { ...key, finalizers: ["example.invalid/cling"] };
      await client.of(ConfigMap).create({ apiVersion: "v1", kind: "ConfigMap", metadata });
      await client.of(Namespace).delete({ name: stage.place });
      await stage.until("it is told", async () =>
        /Applied default\/east .*(terminat|being deleted)/i.test((await stage.closedGates()).join("\n")),
      );
      expect((await stage.closedGates()).join("\n")).not.toMatch(/RBAC|ClusterRole/);
      await client.of(ConfigMap).patch(key, "merge", { metadata: { finalizers: null } });
      await stage.until("all is back", async () => (await stage.replicas()) === "v1 2");
      await stage.untilReleased("v1");
      expect(await stage.weights()).toBe("v1 100");
    },
    LONG_MS,
  );

  test(
    "scenario 15: an object with the ignore label is left as it is, and that is told",
    async () => {
      await scene.startOperator();
      await stage.joinAll();
      await stage.released("v1");
      const { client } = east();
      const key = { namespace: stage.place, name: stage.app };
      await client.of(Service).patch(key, "merge", { metadata: { labels: { [releaseKeys.labels.ignore]: "" } } });
      await client.of(Service).patch(key, "json", [{ op: "replace", path: "/spec/ports/0/port", value: 81 }]);
      await stage.until("told", async () =>
        /Ownership default\/east .*Service/.test((await stage.closedGates()).join("\n")),
      );
      expect((await client.of(Service).get(key)).spec?.ports?.[0]?.port).toBe(81);
    },
    LONG_MS,
  );
});

test(
  "look-alikes survive: copies of our labels and annotations, and a namespace that was there before",
  async () => {
    await scene.startOperator();
    await stage.joinAll();
    await stage.released("v1");
    await stage.released("v2");
    await stage.untilState("v1", "retired");
    const { client } = east();
    const { labels = {}, annotations = {} } = (await client.of(ReplicaSet).get({ namespace: stage.place, name: "v1" }))
      .metadata;
    expect(annotations[OWNER_ANNOTATION]).toBeDefined();
    const metadata = { namespace: stage.place, labels, annotations };
    await client.of(HorizontalPodAutoscaler).create({
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: { ...metadata, name: "keda-hpa-v1" },
      spec: { maxReplicas: 2, scaleTargetRef: { kind: "ReplicaSet", name: "v1", apiVersion: "apps/v1" } },
    });
    await client.of(Secret).create({ apiVersion: "v1", kind: "Secret", metadata: { ...metadata, name: "copied" } });
    await client
      .of(Namespace)
      .create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "echo-staging", labels, annotations } });
    await stage.delete("v1");
    await stage.until("v1 is gone", async () => (await stage.replicas()) === "v2 2");
    expect(await stage.objectsOn(east())).toEqual(
      expect.arrayContaining(["HorizontalPodAutoscaler keda-hpa-v1", "Secret copied"]),
    );
    await stage.delete("v2");
    await stage.deleteReleaseManager();
    await stage.until("it is gone", async () => (await stage.releaseManager()) === undefined);
    expect(await found(client.of(Namespace).get({ name: "echo-staging" }))).toBeDefined();
  },
  LONG_MS,
);

test(
  "a namespace that was there before stays when the release ends, and nothing of ours in it",
  async () => {
    await scene.startOperator();
    const { client } = east();
    const metadata = { name: stage.place, labels: { team: "a" } };
    await client.of(Namespace).create({ apiVersion: "v1", kind: "Namespace", metadata });
    const theirs = { name: "theirs", namespace: stage.place };
    await client.of(ConfigMap).create({ apiVersion: "v1", kind: "ConfigMap", metadata: theirs });
    await stage.joinAll();
    await stage.released("v1");
    await stage.delete("v1");
    await stage.deleteReleaseManager();
    await stage.until("it is gone", async () => (await stage.releaseManager()) === undefined);
    expect(await stage.objectsOn(east())).toEqual(["ConfigMap theirs"]);
    const { labels = {} } = (await client.of(Namespace).get({ name: stage.place })).metadata;
    expect(Object.keys(labels).toSorted()).toEqual(["kubernetes.io/metadata.name", "team"]);
  },
  LONG_MS,
);

test(
  "D-75: a release at rest costs no request apart from watches and signs of life",
  async () => {
    await scene.startOperator();
    await stage.joinAll();
    await stage.released("v1");
    await stage.pass(60_000);
    const requests = scene.listenToOperators();
    await stage.pass(300_000);
    expect(requests.filter((request) => !/livez/.test(request))).toEqual([]);
  },
  LONG_MS,
);

test(
  "secrets stay out of logs, events, status and recordings, and the recordings replay bit for bit",
  async () => {
    const MARKER = "s3cr3t-marker";
    const lines: string[] = [];
    const recorded: { readonly owner: string; readonly line: string }[] = [];
    await stage.delivery.of(Secret).create({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "config", namespace: stage.namespace, labels: { for: "echo" } },
      data: { password: Buffer.from(MARKER).toString("base64") },
    });
    await scene.startOperator({
      log: listeningLogger(lines),
      recordings: [{ write: (owner, line) => void recorded.push({ owner, line }) }],
    });
    for (const target of stage.targets) await stage.join({ ...target, authInfo: { token: MARKER } });
    await stage.release("v1", { configSelector: { matchLabels: { for: "echo" } } });
    await stage.untilReleased("v1");
    const copy = await east().client.of(Secret).get({ namespace: stage.place, name: "config" });
    expect(copy.data?.["password"]).toBe(Buffer.from(MARKER).toString("base64"));

    const told = JSON.stringify([
      lines,
      recorded,
      await stage.events(),
      await stage.releaseManager(),
      await stage.revision("v1"),
    ]);
    expect(told).not.toContain(MARKER);
    expect(told).not.toContain(Buffer.from(MARKER).toString("base64"));
    const ofRelease = recorded
      .filter(({ owner }) => owner.startsWith("releases.release-manager:"))
      .map(({ line }) => line);
    expect(ofRelease.length).toBeGreaterThan(5);
    expect(replay(ofRelease, decideRelease)).toEqual({ passes: ofRelease.length });
  },
  LONG_MS,
);

test(
  "a config that changes reaches every cluster",
  async () => {
    await scene.startOperator();
    await stage.joinAll();
    const metadata = { name: "config", namespace: stage.namespace, labels: { for: "echo" } };
    const write = (level: string): Promise<unknown> =>
      stage.delivery
        .of(Secret)
        .apply(
          { apiVersion: "v1", kind: "Secret", metadata, data: { level } },
          { fieldManager: "person", force: true },
        );
    await write("bG93");
    await stage.release("v1", { configSelector: { matchLabels: { for: "echo" } } });
    await stage.untilReleased("v1");
    await write("aGlnaA==");
    await stage.until("it has arrived", async () => {
      const copies = await Promise.all(
        stage.targets.map(({ client }) => client.of(Secret).get({ namespace: stage.place, name: "config" })),
      );
      return copies.every(({ data }) => data?.["level"] === "aGlnaA==");
    });
  },
  LONG_MS,
);

test(
  "D-83: an app whose Revisions vanish under traffic goes on serving for a while, then ends",
  async () => {
    await scene.startOperator({ flags: { orphanGraceMs: 60_000 } });
    await stage.joinAll();
    await stage.released("v1");
    await stage.delivery.of(Revision).delete({ namespace: stage.namespace, name: `${stage.app}-v1` });
    await stage.pass(50_000);
    expect(await stage.weights()).toBe("v1 100");
    await stage.until("it ends", async () => (await stage.releaseManager()) === undefined);
    for (const target of stage.targets)
      await stage.until("nothing is left", async () => !(await stage.hasNamespaceOn(target)));
  },
  LONG_MS,
);
