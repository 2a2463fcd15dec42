import { seededRandom, VirtualClock } from "@chaski/clock";
import { createEmbeddedCluster, type Workloads, type WorkloadsOptions } from "@chaski/embedded";
import { Requests } from "../conformance/requests.ts";
import { WorkloadStage } from "./workload-stage.ts";

export interface EmbeddedWorkloads {
  readonly clock: VirtualClock;
  readonly stage: WorkloadStage;
  readonly workloads: Workloads;
}

export async function startWorkloads(options: WorkloadsOptions = {}): Promise<EmbeddedWorkloads> {
  const clock = new VirtualClock();
  const { transport, workloads } = await createEmbeddedCluster({ clock, random: seededRandom(1), workloads: options });
  return { clock, stage: new WorkloadStage(new Requests(transport)), workloads };
}
