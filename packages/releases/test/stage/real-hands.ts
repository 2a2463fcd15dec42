// What people do around a release, on real API servers: wrong input, edits under the operator, objects that look like ours.
import { Cluster, releaseKeys } from "@chaski/api";
import { ConfigMap, HorizontalPodAutoscaler, Namespace, ReplicaSet, Secret, Service } from "@chaski/kube";
import { describe, expect, test } from "vitest";
import { PrometheusRule, VirtualService } from "../../src/objects/kinds.ts";
import { FleetStage, found, type Target } from "./fleet-stage.ts";
import type { RealScene } from "./real-faults.ts";

export function realHands(open: (app: string) => Promise<RealScene>): void {
  describe("what people do", { timeout: 240_000 }, () => {
    test("bad input is told where it was written, and stops nobody else", async () => {
      const scene = await open("careless");
      const { stage, fleet } = scene;
      await scene.startOperator();
      await joinBroken(stage);
      const stray = new FleetStage(fleet.platform, { app: "stray", namespace: stage.namespace });
      await stray.release("v1", { fleet: "nowhere" });
      await stage.joinAll();
      await stage.release("v1");
      await stage.release("v1", {}, {}, { name: "again" });
      await stage.untilReleased("v1");
      expect((await stage.releaseManager())?.status?.revisions?.map(({ tag }) => tag)).toEqual(["v1"]);
      expect(await stage.weights()).toBe("v1 100");
      for (const { name, message } of BROKEN)
        await stage.until(`${name} says what is wrong`, async () =>
          message.test((await stage.clusterCondition(name, "Ready")) ?? ""),
        );
      await stage.until("the stray one is told", async () =>
        /no live cluster/.test((await stray.closedGates()).join()),
      );
      await stage.untilEvent(/^Cluster ClusterUnusable: /);
      for (const { name } of BROKEN) await stage.delivery.of(Cluster).delete({ namespace: stage.namespace, name });
    });

    test("edits come undone, look-alikes stay, and a namespace that is stuck on its way out is waited for", async () => {
      const scene = await open("handled");
      const { stage } = scene;
      await scene.startOperator();
      await stage.joinAll();
      await stage.released("v1");
      const [east] = stage.targets;
      if (!east) throw new Error("the fleet has three targets");
      await editAndDelete(stage, east);
      await addLookAlikes(stage, east);
      await stage.released("v2");
      await stage.untilState("v1", "retired");
      await stage.delete("v1");
      await stage.until("v1 is gone", async () => (await stage.replicas()) === "v2 2");
      expect(await stage.objectsOn(east)).toEqual(expect.arrayContaining(LOOK_ALIKES));
      await stickOnTheWayOut(stage, east);
      expect(await found(east.client.of(Namespace).get({ name: foreignNamespace(stage) }))).toBeDefined();
    });
  });
}

const BROKEN = [
  { name: "without-secret", config: {}, secret: undefined, message: /^False Unusable: .*Secret \S+ is missing/ },
  {
    name: "broken-secret",
    config: {},
    secret: '{"token":',
    message: /^False Unusable: .*not valid JSON/,
  },
  {
    name: "broken-authority",
    config: { "certificate-authority-data": "bm8gUEVN" },
    secret: '{"token":"t"}',
    message: /^False Unusable: .*certificate authority is no PEM/,
  },
  {
    name: "broken-address",
    config: { server: "nowhere" },
    secret: '{"token":"t"}',
    message: /^False Unusable: .*should be a URL/,
  },
];

async function joinBroken({ delivery, namespace, targets }: FleetStage): Promise<void> {
  const authority = Buffer.from(targets[0]?.authority ?? "").toString("base64");
  for (const { name, config, secret } of BROKEN) {
    const metadata = { name, namespace };
    const labels = { [releaseKeys.labels.fleet]: "elsewhere" };
    if (secret) {
      const data = { "auth-info": Buffer.from(secret).toString("base64") };
      await delivery.of(Secret).create({ apiVersion: "v1", kind: "Secret", metadata, data });
    }
    await delivery.of(Cluster).create({
      apiVersion: "picchu.medium.engineering/v1alpha1",
      kind: "Cluster",
      metadata: { ...metadata, labels },
      spec: {
        enabled: true,
        config: { server: "https://127.0.0.1:1", "certificate-authority-data": authority, ...config },
        ingresses: { public: { dnsName: "", defaultDomains: [] }, private: { dnsName: "", defaultDomains: [] } },
      },
    });
  }
}

async function editAndDelete(stage: FleetStage, { client }: Target): Promise<void> {
  const key = { namespace: stage.place, name: stage.app };
  const { spec } = await client.of(VirtualService).get(key);
  await client.of(VirtualService).delete(key);
  await client.of(Service).patch(key, "json", [{ op: "replace", path: "/spec/ports/0/port", value: 81 }]);
  await client.of(ReplicaSet).delete({ namespace: stage.place, name: "v1" });
  await stage.until("all is back", async () => {
    const route = await found(client.of(VirtualService).get(key));
    const ports = (await client.of(Service).get(key)).spec?.ports?.map(({ port }) => port).join();
    const isRouted = JSON.stringify(route?.spec) === JSON.stringify(spec);
    return isRouted && ports === "80" && (await stage.replicas()) === "v1 2";
  });
}

const LOOK_ALIKES = ["HorizontalPodAutoscaler keda-hpa-v1", "PrometheusRule sloth-slo-v1", "Secret external-v1"];

function foreignNamespace({ app, namespace }: FleetStage): string {
  return `${app}-staging-${namespace}`;
}

/** With the labels and annotations that KEDA, External Secrets and Sloth would copy from an object of ours. */
async function addLookAlikes(stage: FleetStage, { client }: Target): Promise<void> {
  const own = await client.of(ReplicaSet).get({ namespace: stage.place, name: "v1" });
  const { labels = {}, annotations = {} } = own.metadata;
  const named = (name: string) => ({ namespace: stage.place, name, labels, annotations });
  await client.of(HorizontalPodAutoscaler).create({
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: named("keda-hpa-v1"),
    spec: { maxReplicas: 2, scaleTargetRef: { kind: "ReplicaSet", name: "other", apiVersion: "apps/v1" } },
  });
  await client.of(PrometheusRule).create({
    apiVersion: "monitoring.coreos.com/v1",
    kind: "PrometheusRule",
    metadata: named("sloth-slo-v1"),
    spec: { groups: [] },
  });
  await client.of(Secret).create({ apiVersion: "v1", kind: "Secret", metadata: named("external-v1") });
  const metadata = { name: foreignNamespace(stage), labels, annotations };
  await client.of(Namespace).create({ apiVersion: "v1", kind: "Namespace", metadata });
}

async function stickOnTheWayOut(stage: FleetStage, { client }: Target): Promise<void> {
  const key = { namespace: stage.place, name: "clinging" };
  const metadata = { ...key, finalizers: ["example.invalid/cling"] };
  await client.of(ConfigMap).create({ apiVersion: "v1", kind: "ConfigMap", metadata });
  await client.of(Namespace).delete({ name: stage.place });
  await stage.until("it is told", async () =>
    /Applied \S+\/east .*(terminat|being deleted)/i.test((await stage.closedGates()).join("\n")),
  );
  expect((await stage.closedGates()).join("\n")).not.toMatch(/RBAC|ClusterRole/);
  await client.of(ConfigMap).patch(key, "merge", { metadata: { finalizers: null } });
  await stage.until("all is back", async () => (await stage.replicas()) === "v2 2");
  await stage.until("traffic is back", async () => (await stage.weights()) === "v2 100");
}
