// The operator dies after every single write of a release, each write point once: the end is always the same.
import { seededRandom } from "@chaski/clock";
import { Deployment, isTrue, type Transport } from "@chaski/kube";
import { expect, test } from "vitest";
import { embeddedStage } from "./stage/embedded-stage.ts";
import { newOperator } from "./stage/operator.ts";

/** Lets so many writes through and then none: as if the process had been killed before the answer came. */
function dyingAfter(writes: number, transport: Transport): { transport: Transport; count: () => number } {
  let count = 0;
  const send: Transport["send"] = async (request) => {
    if (request.method === "GET") return transport.send(request);
    if (count >= writes) return new Promise(() => {});
    count++;
    const answer = await transport.send(request);
    return count === writes ? new Promise(() => {}) : answer;
  };
  return { transport: { send, close: () => transport.close() }, count: () => count };
}

async function releaseWithCrashAfter(writes: number): Promise<{ end: string; count: number; isLow: boolean }> {
  const { clock, cluster, stage } = await embeddedStage();
  await stage.serve("shop-v1", { replicas: 3 });
  await stage.release({ replicas: 3, totalBatches: 2, pauseType: "None" });
  const first = dyingAfter(writes, cluster.transport);
  const random = seededRandom(3);
  const dying = newOperator({ transport: first.transport }, { clock, random });
  await dying.start();
  await clock.advance(20_000);
  const second = newOperator({ transport: cluster.transport }, { clock, random });
  await second.start();
  let isLow = false;
  await stage.until("the release is complete and the older Deployment gone", async () => {
    const { items } = await stage.client.of(Deployment).list({ namespace: stage.namespace });
    isLow ||= items.reduce((sum, { status }) => sum + (status?.availableReplicas ?? 0), 0) < 3;
    const canary = await stage.canary();
    return isTrue(canary?.status?.conditions, "Ready") && items.length === 1;
  });
  const end = `${await stage.deployments()}; ${JSON.stringify((await stage.canary())?.status?.info)}`;
  const stopped = Promise.all([second.stop(), dying.stop()]);
  await clock.advance(60_000);
  await stopped;
  return { end, count: first.count(), isLow };
}

test("a crash after any write of a release leads to the same end, never below the total", async () => {
  const undisturbed = await releaseWithCrashAfter(Number.POSITIVE_INFINITY);
  expect(undisturbed.count).toBeGreaterThan(8);
  const ends: Record<number, string> = {};
  for (let writes = 1; writes <= undisturbed.count; writes++) {
    const { end, isLow } = await releaseWithCrashAfter(writes);
    if (end !== undisturbed.end || isLow) ends[writes] = isLow ? `below the total; ${end}` : end;
  }
  expect(ends).toEqual({});
}, 120_000);
