// A release over a fleet, from the joining of its clusters to the end of its ReleaseManager.
import { expect } from "vitest";
import type { FleetStage } from "./fleet-stage.ts";
import type { FleetRecorder } from "./recorder.ts";

export interface Told {
  readonly stage: FleetStage;
  readonly recorder: FleetRecorder;
}

/** Told in order: each act begins where the one before has ended. */
export const ACTS = { join, firstRelease, secondRelease, failedTest, rollback, garbage, end };

export async function tellStory(told: Told): Promise<void> {
  for (const act of Object.values(ACTS)) await act(told);
}

async function join({ stage }: Told): Promise<void> {
  await stage.joinAll();
  for (const { name } of stage.targets)
    await stage.until(`${name} is ready`, async () =>
      ((await stage.clusterCondition(name, "Ready")) ?? "").startsWith("True"),
    );
}

const ALWAYS = [
  "DestinationRule echo",
  "PodDisruptionBudget echo",
  "Role echo-external-metrics",
  "RoleBinding echo-external-metrics-binding",
  "Secret service-account-token",
  "Service echo",
  "ServiceAccount echo",
  "VirtualService echo",
];

async function firstRelease({ stage }: Told): Promise<void> {
  await stage.released("v1");
  expect(await stage.weights()).toBe("v1 100");
  expect(await stage.replicas()).toBe("v1 2");
  for (const target of stage.targets) expect(await stage.objectsOn(target)).toEqual(withReplicaSets("v1"));
}

async function secondRelease({ stage, recorder }: Told): Promise<void> {
  await stage.released("v2");
  await stage.untilState("v1", "retired");
  await stage.until("v1 has no pods", async () => (await stage.replicas()) === "v1 0, v2 2");
  expect(await stage.weights()).toBe("v2 100");
  for (const target of stage.targets) {
    const weights = recorder.weightsOn(target.name, stage.place, "v2");
    expect(weights.filter((weight) => weight > 0)).toEqual([10, 20, 40, 80, 100]);
    expect(await stage.objectsOn(target)).toEqual(withReplicaSets("v1", "v2"));
    await stage.until(`${target.name} has lost the subset`, async () => (await stage.subsetsOn(target)) === "v2");
  }
}

async function failedTest({ stage }: Told): Promise<void> {
  const externalTest = { enabled: true, started: false, completed: false };
  await stage.release("v3", { externalTest });
  await stage.untilState("v3", "pendingtest");
  await stage.edit("v3", { spec: { targets: [await stage.testedTarget("v3", { started: true })] } });
  await stage.untilState("v3", "testing");
  await stage.edit("v3", {
    spec: { targets: [await stage.testedTarget("v3", { completed: true, succeeded: false })] },
  });
  await stage.untilState("v3", "failed");
  await stage.until("v3 has no pods", async () => (await stage.replicas()) === "v1 0, v2 2, v3 0");
  expect(await stage.weights()).toBe("v2 100");
}

async function rollback({ stage }: Told): Promise<void> {
  await stage.fail("v2");
  await stage.untilState("v2", "failed");
  await stage.until("v1 has it all", async () => (await stage.weights()) === "v1 100");
  await stage.untilReleased("v1");
  await stage.until("v2 has no pods", async () => (await stage.replicas()) === "v1 2, v2 0, v3 0");
}

async function garbage({ stage }: Told): Promise<void> {
  await stage.delete("v3");
  await stage.delete("v2");
  await stage.until("only v1 is left", async () => (await stage.replicas()) === "v1 2");
  await stage.until("the others are forgotten", async () => {
    return (await stage.releaseManager())?.status?.revisions?.map(({ tag }) => tag).join() === "v1";
  });
  expect(await stage.weights()).toBe("v1 100");
  for (const target of stage.targets) expect(await stage.objectsOn(target)).toEqual(withReplicaSets("v1"));
}

async function end({ stage, recorder }: Told): Promise<void> {
  // With its namespace everything goes, in whatever order Kubernetes likes.
  await recorder.stop();
  for (const { spec } of await stage.revisions()) await stage.delete(spec.app.tag);
  await stage.deleteReleaseManager();
  await stage.until("the ReleaseManager is gone", async () => (await stage.releaseManager()) === undefined);
  for (const target of stage.targets) {
    await stage.until(`nothing is left on ${target.name}`, async () => !(await stage.hasNamespaceOn(target)));
    expect(await stage.objectsOn(target)).toEqual([]);
  }
}

function withReplicaSets(...tags: readonly string[]): readonly string[] {
  return [...ALWAYS, ...tags.map((tag) => `ReplicaSet ${tag}`)].toSorted();
}
