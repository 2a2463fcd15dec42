import { VirtualClock, seededRandom } from "@chaski/clock";
import type { Deployment } from "@chaski/kube";
import { describe, expect, test } from "vitest";
import { Requests } from "../../conformance/requests.ts";
import { WorkloadStage } from "../../test/workload-stage.ts";
import { createEmbeddedCluster, type Workloads, type WorkloadsOptions } from "../index.ts";

interface Running {
  readonly clock: VirtualClock;
  readonly stage: WorkloadStage;
  readonly workloads: Workloads;
}

async function start(options: WorkloadsOptions = {}): Promise<Running> {
  const clock = new VirtualClock();
  const cluster = await createEmbeddedCluster({ clock, random: seededRandom(1), workloads: options });
  return { clock, stage: new WorkloadStage(new Requests(cluster.transport)), workloads: cluster.workloads };
}

function countsOf({ status = {} }: Deployment): object {
  const { conditions: _conditions, ...counts } = status;
  return counts;
}

test("a Deployment gets a ReplicaSet and pods, which become ready after the configured time", async () => {
  const { clock, stage } = await start({ readyAfterMs: 5_000 });
  await stage.deploy({ replicas: 3 });
  await clock.advance(4_999);
  expect(countsOf(await stage.deployment())).toEqual({
    observedGeneration: 1,
    replicas: 3,
    updatedReplicas: 3,
    unavailableReplicas: 3,
    terminatingReplicas: 0,
  });
  expect(await stage.conditions()).toEqual([
    "Available=False MinimumReplicasUnavailable",
    "Progressing=True ReplicaSetUpdated",
  ]);
  await clock.advance(1);
  expect(countsOf(await stage.deployment())).toEqual({
    observedGeneration: 1,
    replicas: 3,
    updatedReplicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
    terminatingReplicas: 0,
  });
  expect(await stage.conditions()).toEqual([
    "Available=True MinimumReplicasAvailable",
    "Progressing=True NewReplicaSetAvailable",
  ]);
});

describe("a rolling update", () => {
  test("replaces the pods of the old template within the bounds", async () => {
    const { clock, stage } = await start({ readyAfterMs: 1_000 });
    await stage.deploy({ replicas: 4 });
    await clock.advance(2_000);
    await stage.setImage("web:2");
    await clock.advance(0);
    expect(await stage.sizes()).toEqual(["web:1=3", "web:2=2"]);
    await clock.advance(20_000);
    expect(await stage.sizes()).toEqual(["web:2=4"]);
    expect((await stage.pods()).map(({ spec }) => spec?.containers[0]?.image)).toEqual(Array(4).fill("web:2"));
    expect((await stage.deployment()).metadata.annotations?.["deployment.kubernetes.io/revision"]).toBe("2");
  });
});
