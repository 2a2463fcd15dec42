import { ClusterSecrets } from "@chaski/api";
import { Service, type TransportRequest } from "@chaski/kube";
import type { ObservedChange } from "@chaski/runtime";
import { afterEach, expect, test } from "vitest";
import { VirtualService } from "../src/objects/kinds.ts";
import { EmbeddedScene } from "./stage/embedded-scene.ts";
import type { Wrap } from "./stage/embedded-fleet.ts";

let scene: EmbeddedScene | undefined;
afterEach(async () => scene?.close());

/** Every request that could change something, as the servers get it. */
function countWrites(): { readonly wrap: Wrap; readonly writes: TransportRequest[] } {
  const writes: TransportRequest[] = [];
  const wrap: Wrap = (transport) => ({
    ...transport,
    send: (request) => {
      if (request.method !== "GET") writes.push(request);
      return transport.send(request);
    },
  });
  return { wrap, writes };
}

async function observed() {
  const { wrap, writes } = countWrites();
  const changes: ObservedChange[] = [];
  const opened = await EmbeddedScene.open();
  scene = opened;
  const { stage, fleet } = opened;
  const operator = await opened.startOperator();
  await stage.joinAll();
  await stage.released("v1");
  await stage.pass(60_000);
  const stopped = operator.stop();
  await fleet.clock.advance(60_000);
  await stopped;
  const startObserver = async (): Promise<void> => {
    await opened.startOperator({ wrap, observe: (change) => changes.push(change) });
    await stage.pass(60_000);
  };
  const told = (): readonly string[] => [
    ...new Set(
      changes.map(({ cluster, verb, ref, fields }) =>
        [cluster, verb, ref.kind.kind, ref.name, ...fields.map(({ path }) => path)].join(" "),
      ),
    ),
  ];
  return { stage, writes, changes, told, startObserver };
}

test("what is as it should be gives nothing to tell but how clusters are found, and nothing is written", {
  timeout: 60_000,
}, async () => {
  const { writes, told, startObserver } = await observed();
  await startObserver();
  expect(told().filter((change) => !/^local apply (?:Cluster|ReleaseManager) \S+ status\./.test(change))).toEqual([]);
  expect(writes).toEqual([]);
});

test("drift and a new Revision are told object by object, and nothing is written", { timeout: 60_000 }, async () => {
  const { stage, writes, changes, told, startObserver } = await observed();
  const [east] = stage.targets;
  if (!east) throw new Error("the fleet has three targets");
  await east.client.of(Service).delete({ namespace: stage.place, name: "echo" });
  const drifted = { metadata: { labels: { app: "somebody-else" } } };
  await east.client.of(VirtualService).patch({ namespace: stage.place, name: "echo" }, "merge", drifted);
  await stage.release("v2");
  const namespace = stage.namespace;
  await stage.delivery.of(ClusterSecrets).create({
    apiVersion: "picchu.medium.engineering/v1alpha1",
    kind: "ClusterSecrets",
    metadata: { name: "all", namespace },
    spec: { source: { namespace, fieldSelector: "metadata.name=east" }, target: { namespace: "copies" } },
  });
  await startObserver();
  expect(told()).toContain("default/east apply VirtualService echo metadata.labels.app");
  expect(told()).toContainEqual(expect.stringMatching(/^default\/east create Service echo .*spec\.ports/));
  expect(told()).toContainEqual(expect.stringMatching(/^local patch Revision echo-v2 metadata\.labels/));
  expect(told()).toContainEqual(expect.stringMatching(/^local apply Revision echo-v2 status\./));
  expect(told()).toContainEqual(expect.stringMatching(/^default\/north create Secret east /));
  expect(writes).toEqual([]);
  expect(JSON.stringify(changes)).not.toContain("token-of-east");
});
