// What goes wrong around a release, on real API servers.
import { Cluster, releaseKeys } from "@chaski/api";
import { seededRandom } from "@chaski/clock";
import { Lease, type Transport } from "@chaski/kube";
import { CuttableProxy } from "@chaski/test/kube";
import { describe, expect, test } from "vitest";
import { type FleetStage, found } from "./fleet-stage.ts";
import { failure } from "./line.ts";
import type { OperatorOptions } from "./operator.ts";
import { MortalProcesses, OperatorProcess } from "./operator-process.ts";
import type { RealFleet, RealTarget } from "./real-fleet.ts";
import { tellStory } from "./story.ts";
import type { Scene } from "./suite.ts";

export interface RealScene extends Scene {
  readonly fleet: RealFleet;
  startOperator(
    options?: Partial<OperatorOptions> & { readonly wrap?: (transport: Transport) => Transport },
  ): Promise<void>;
}

const TIMINGS = { leaseMs: 4_000, renewDeadlineMs: 3_000, retryMs: 500 };
/** Some five deaths in a story. */
const WRITES_OF_A_LIFE = 41;

export function realFaults(open: (app: string) => Promise<RealScene>): void {
  describe("what goes wrong", { timeout: 300_000 }, () => {
    test("every process of the operator dies by SIGKILL after some writes: the story ends the same", async () => {
      const { fleet, stage, recorder, drainMs } = await open("echo");
      await using operators = new MortalProcesses({
        kubeconfig: fleet.plane.admin.kubeconfigPath,
        dieAfter: WRITES_OF_A_LIFE,
      });
      await tellStory({ stage, recorder });
      expect(operators.deaths).toBeGreaterThan(2);
      expect(recorder.broken(stage.place, drainMs)).toEqual([]);
      await stage.leave();
    });

    test("the leader of two replicas dies by SIGKILL in the middle of a ramp, and the other goes on", async () => {
      const { fleet, stage, recorder, drainMs } = await open("replicated");
      const key = { namespace: stage.namespace, name: "chaski" };
      const replicaAs = (identity: string) =>
        new OperatorProcess({
          kubeconfig: fleet.plane.admin.kubeconfigPath,
          replica: { key, identity, timings: TIMINGS },
        });
      const leader = async (): Promise<string | undefined> =>
        (await found(stage.delivery.of(Lease).get(key)))?.spec?.holderIdentity;
      await using first = replicaAs("first");
      await stage.until("the first leads", async () => (await leader()) === "first");
      await using _second = replicaAs("second");
      await midRamp(stage);
      await first.kill();
      await stage.untilReleased("v2");
      await stage.until("the second leads", async () => (await leader()) === "second");
      await stage.until("v2 has everything", async () => (await stage.weights()) === "v2 100");
      expect(recorder.broken(stage.place, drainMs)).toEqual([]);
      await stage.leave();
    });

    test("30 % of all calls fail by 409, 429 or 500, and credentials are rotated in the middle of the ramp", async () => {
      const scene = await open("pestered");
      const { fleet, stage, recorder, drainMs } = scene;
      const west = targetOf(fleet, "west");
      await scene.startOperator({ wrap: pestered });
      const before = await accountOn(west, "before");
      await midRamp(stage, async () => {
        await stage.writeCredentials(west, before.authInfo);
      });
      const after = await accountOn(west, "after");
      await stage.writeCredentials(west, after.authInfo);
      await west.plane.kubectl(["-n", before.namespace, "delete", "serviceaccount", "before"]);
      await stage.untilReleased("v2");
      await stage.until("v2 has everything", async () => (await stage.weights()) === "v2 100");
      expect(recorder.broken(stage.place, drainMs)).toEqual([]);
      const users = (await west.plane.auditEvents()).map(({ user }) => user.username);
      for (const { name } of [before, after]) expect(users).toContain(name);
    });

    test("a cluster that is down over two releases follows without a moment of weight and no pod", async () => {
      const scene = await open("absent");
      const { fleet, stage, recorder, drainMs } = scene;
      const west = targetOf(fleet, "west");
      await using proxy = await CuttableProxy.start(west.server);
      await scene.startOperator();
      for (const target of fleet.targets) await stage.join(target === west ? { ...target, server: proxy.url } : target);
      await stage.release("v1");
      await stage.untilReleased("v1");
      await proxy.refuse();
      const quarantined = { metadata: { annotations: { [releaseKeys.annotations.quarantine]: "broken rack" } } };
      await stage.delivery.of(Cluster).patch({ namespace: stage.namespace, name: "west" }, "merge", quarantined);
      const others = fleet.targets.filter((target) => target !== west);
      for (const tag of ["v2", "v3"]) {
        await stage.release(tag);
        await stage.until(`${tag} is on the others`, async () => {
          const weights = await Promise.all(others.map((target) => stage.weightsOn(target)));
          return weights.every((each) => each === `${tag} 100`);
        });
      }
      expect(await stage.weightsOn(west)).toBe("v1 100");
      expect(await stage.replicasOn(west)).toBe("v1 2");
      await proxy.resume();
      await stage.until("west follows", async () => (await stage.weightsOn(west)) === "v3 100");
      await stage.until("west has drained v1", async () => /v1 0/.test(await stage.replicasOn(west)));
      expect(recorder.broken(stage.place, drainMs)).toEqual([]);
    });
  });
}

/** v1 released, v2 on its way. */
async function midRamp(stage: FleetStage, prepare: () => Promise<void> = async () => {}): Promise<void> {
  for (const target of stage.targets) await stage.join(target);
  await prepare();
  await stage.release("v1");
  await stage.untilReleased("v1");
  await stage.release("v2");
  await stage.until("v2 ramps", async () => ((await stage.entry("v2"))?.currentPercent ?? 0) >= 20);
}

function targetOf(fleet: RealFleet, name: string): RealTarget {
  const target = fleet.targets.find((each) => each.name === name);
  if (!target) throw new Error(`there is no ${name}`);
  return target;
}

interface Account {
  readonly name: string;
  readonly namespace: string;
  readonly authInfo: Readonly<Record<string, string>>;
}

/** One that may do everything, until it is deleted. */
async function accountOn({ plane }: RealTarget, name: string): Promise<Account> {
  const namespace = await plane.createNamespace("accounts");
  const { kubeconfig } = await plane.addServiceAccount(namespace, name);
  const binding = ["create", "clusterrolebinding", `${namespace}-${name}`, "--clusterrole=cluster-admin"];
  await plane.kubectl([...binding, `--serviceaccount=${namespace}:${name}`]);
  const { users } = JSON.parse(kubeconfig) as { users: [{ user: Record<string, string> }] };
  return { name: `system:serviceaccount:${namespace}:${name}`, namespace, authInfo: users[0].user };
}

const random = seededRandom(1);
const REFUSALS = [
  { code: 409, reason: "Conflict" },
  { code: 429, reason: "TooManyRequests" },
  { code: 500, reason: "InternalError" },
];

function pestered(transport: Transport): Transport {
  const send: Transport["send"] = (request) => {
    const refusal = request.path.includes("watch=") ? undefined : REFUSALS[Math.floor(random() * 10)];
    if (!refusal) return transport.send(request);
    return Promise.resolve(failure(refusal.code, refusal.reason, "not now"));
  };
  return { send, close: () => transport.close() };
}
