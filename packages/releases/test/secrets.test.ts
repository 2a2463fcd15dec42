// A marker in every Secret that the operator reads or copies is looked for in all that it tells.
import { ClusterSecrets, crdOf, Mirror, revisionResource } from "@chaski/api";
import { CoreEvent, CustomResourceDefinition, Namespace, Secret } from "@chaski/kube";
import { prometheusMetrics } from "@chaski/runtime";
import { expect, test } from "vitest";
import { releaseMetrics } from "../../operator/src/metrics/release-metrics.ts";
import { EmbeddedScene } from "./stage/embedded-scene.ts";
import { found } from "./stage/fleet-stage.ts";
import { listeningLogger } from "./stage/listening-logger.ts";

const MARKER = "s3cr3t-marker";
const ENCODED = Buffer.from(MARKER).toString("base64");
const apiVersion = "picchu.medium.engineering/v1alpha1";

test("D-67: what is in Secrets, credentials and their copies is in no log, event, status, metric or recording", {
  timeout: 120_000,
}, async () => {
  const scene = await EmbeddedScene.open();
  const { stage } = scene;
  const { namespace } = stage;
  const [east, , west] = stage.targets;
  if (!east || !west) throw new Error("the fleet has three targets");
  await west.client.of(CustomResourceDefinition).create(crdOf(revisionResource) as unknown as CustomResourceDefinition);
  for (const name of ["config", "pull"])
    await stage.delivery.of(Secret).create({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name, namespace, labels: { for: stage.app } },
      data: { password: ENCODED },
    });

  const told: string[] = [];
  const log = listeningLogger(told);
  const operator = await scene.startOperator({
    log,
    metrics: prometheusMetrics(),
    recordings: [{ write: (_owner, line) => void told.push(line) }],
  });
  using _standings = releaseMetrics(operator, scene.fleet.clock);
  await stage.join({ ...east, authInfo: { token: MARKER } });
  await stage.join({ ...west, authInfo: { token: MARKER } }, { hotStandby: true });
  await stage.delivery.of(ClusterSecrets).create({
    apiVersion,
    kind: "ClusterSecrets",
    metadata: { name: "pull", namespace },
    spec: { source: { namespace, fieldSelector: "metadata.name=pull" }, target: { namespace: "copies" } },
  });
  await stage.delivery.of(Mirror).create({
    apiVersion,
    kind: "Mirror",
    metadata: { name: "to-west", namespace },
    spec: { clusterName: "west" },
  });
  await stage.release("v1", { configSelector: { matchLabels: { for: stage.app } } });
  await stage.untilReleased("v1");
  const isThere = async (place: string, name: string): Promise<boolean> => {
    const copy = await found(west.client.of(Secret).get({ namespace: place, name }));
    return copy?.data?.["password"] === ENCODED;
  };
  await stage.until("all is copied", async () => {
    const copies = [isThere("copies", "pull"), isThere(namespace, "config"), isThere(stage.place, "config")];
    return (await Promise.all(copies)).every(Boolean);
  });
  // Something has to go wrong, too: failures quote what they failed on.
  await stage.writeCredentials(east, { token: `${MARKER}-2` });
  await west.client.of(Namespace).delete({ name: "copies" });
  await stage.pass(60_000);

  const { items: events } = await stage.delivery.of(CoreEvent).list({ namespace });
  const { items: copying } = await stage.delivery.of(ClusterSecrets).list({ namespace });
  const { items: mirrors } = await stage.delivery.of(Mirror).list({ namespace });
  const { body: metrics } = await operator.metrics.expose();
  expect(metrics).toContain(`picchu_revision_release_weight{app="${stage.app}",target="production",tag="v1"} 100`);
  expect(metrics).toMatch(/^controller_runtime_reconcile_total\{.* [1-9]/m);
  const everything = JSON.stringify([
    told,
    events,
    copying,
    mirrors,
    metrics,
    await stage.releaseManager(),
    await stage.revision("v1"),
  ]);
  expect(told.length).toBeGreaterThan(10);
  expect(everything).not.toContain(MARKER);
  expect(everything).not.toContain(ENCODED);
  await scene.close();
});
