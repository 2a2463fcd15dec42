import { RealClock, systemRandom } from "@chaski/clock";
import { ConfigMap, CoreEvent, type KubeObject } from "@chaski/kube";
import { connect, defaultConnection, QueuedRecorder, thisMachine } from "@chaski/runtime";
import { type ClusterAccess, sharedControlPlane } from "@chaski/test/kube";
import { beforeAll, expect, test } from "vitest";

const clock = new RealClock();
let plane: ClusterAccess;
let namespace: string;

beforeAll(async () => {
  plane = await sharedControlPlane();
  namespace = await plane.createNamespace("events");
});

async function setUp(name: string) {
  const connection = await defaultConnection(thisMachine(clock), { path: plane.admin.kubeconfigPath });
  const client = connect(connection, { clock, random: systemRandom });
  const dropped: string[] = [];
  const recorder = new QueuedRecorder({
    events: client.of(CoreEvent),
    source: { component: "chaski", instance: "chaski-0" },
    clock,
    random: systemRandom,
    onDropped: (_, because) => dropped.push(because),
  });
  const map: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name } };
  const object: KubeObject = await client.of(ConfigMap).create(map);
  const describeIt = (): Promise<string> => plane.kubectl(["describe", "configmap", name, "-n", namespace]);
  return { recorder, object, dropped, client, describeIt };
}

test("kubectl describe shows type, reason, who, how often and the message", async () => {
  const { recorder, object, describeIt, client } = await setUp("tern");
  const note = { type: "Warning", reason: "SloMissed", message: "errors are at 3 %, the limit is 1 %" } as const;
  for (let time = 0; time < 4; time++) recorder.record(object, note);
  await recorder.flush();
  expect(await describeIt()).toMatch(/Warning\s+SloMissed\s+\S+ \(x4 over \S+\)\s+chaski\s+errors are at 3 %/);
  const { items } = await client.of(CoreEvent).list({ namespace, fieldSelector: "involvedObject.name=tern" });
  expect(items).toHaveLength(1);
});

test("fifteen similar messages become nine and one that combines the rest", async () => {
  const { recorder, object, client, dropped } = await setUp("gull");
  for (let pod = 1; pod <= 15; pod++)
    recorder.record(object, { type: "Normal", reason: "Slow", message: `pod ${pod}` });
  await recorder.flush();
  const { items } = await client.of(CoreEvent).list({ namespace, fieldSelector: "involvedObject.name=gull" });
  expect(items).toHaveLength(10);
  expect(items.find(({ count }) => count === 6)?.message).toBe("(combined from similar events): pod 15");
  expect(dropped).toEqual([]);
});

test("an event that the server refuses is dropped, and the next one is told", async () => {
  const { recorder, object, dropped, describeIt } = await setUp("heron");
  const elsewhere = { ...object, metadata: { ...object.metadata, namespace: "no-such-namespace" } };
  recorder.record(elsewhere, { type: "Normal", reason: "Lost", message: "nobody will read this" });
  recorder.record(object, { type: "Normal", reason: "Found", message: "here it is" });
  await recorder.flush();
  expect(dropped).toEqual(["refused"]);
  expect(await describeIt()).toContain("here it is");
});
