// What goes wrong around a release, on real API servers.
import { Cluster, ReleaseManager, releaseKeys, Revision } from "@chaski/api";
import { seededRandom } from "@chaski/clock";
import { CoreEvent, type Kind, Lease, type Transport } from "@chaski/kube";
import { prometheusMetrics } from "@chaski/runtime";
import { CuttableProxy } from "@chaski/test/kube";
import { describe, expect, test } from "vitest";
import { type FleetStage, found } from "./fleet-stage.ts";
import { failure } from "./line.ts";
import { listeningLogger } from "./listening-logger.ts";
import type { OperatorOptions } from "./operator.ts";
import { MortalProcesses, OperatorProcess } from "./operator-process.ts";
import type { RealFleet, RealTarget } from "./real-fleet.ts";
import { tellStory } from "./story.ts";
import { targetOf } from "./target-of.ts";
import type { Scene } from "./scene.ts";
import { goOnWithoutWebhooks } from "./unhooked.ts";

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

    test("30 % of all calls fail by 409, 429 or 500, credentials are rotated in the middle of the ramp, and told to nobody", async () => {
      const scene = await open("pestered");
      const { fleet, stage, recorder, drainMs } = scene;
      const west = targetOf(fleet, "west");
      const told: string[] = [];
      const metrics = prometheusMetrics();
      const recordings = [{ write: (_owner: string, line: string) => void told.push(line) }];
      await scene.startOperator({ wrap: pestered, log: listeningLogger(told), metrics, recordings });
      const before = await accountOn(west, "before");
      const isUsed = async ({ name }: Account): Promise<boolean> =>
        (await west.plane.auditEvents()).some(({ user }) => user.username === name);
      await midRamp(stage, async () => {
        await stage.writeCredentials(west, before.authInfo);
        await stage.until("the first credentials are used", () => isUsed(before));
      });
      const after = await accountOn(west, "after");
      await stage.writeCredentials(west, after.authInfo);
      await west.plane.kubectl(["-n", before.namespace, "delete", "serviceaccount", "before"]);
      await stage.untilReleased("v2");
      await stage.until("v2 has everything", async () => (await stage.weights()) === "v2 100");
      expect(recorder.broken(stage.place, drainMs)).toEqual([]);
      // Where most watches fail at first, the ramp may end before the change is noticed.
      await stage.until("the second credentials are used", () => isUsed(after));
      told.push(JSON.stringify(await toldByApi(stage)), (await metrics.expose()).body);
      expect(told.length).toBeGreaterThan(10);
      expect(told.filter((text) => secretsOf([before, after]).some((secret) => text.includes(secret)))).toEqual([]);
    });

    test("the webhooks are down: a ramp goes on, a roll-back runs, and what is invalid is told instead", async () => {
      const scene = await open("unhooked");
      const { stage, recorder, drainMs } = scene;
      await scene.startOperator();
      await midRamp(stage);
      await goOnWithoutWebhooks(stage);
      expect(recorder.broken(stage.place, drainMs)).toEqual([]);
    });

    test("a cluster that is down from the first release to the roll-back, and again over two releases, follows", async () => {
      const scene = await open("absent");
      const { fleet, stage, recorder, drainMs } = scene;
      const west = targetOf(fleet, "west");
      const others = fleet.targets.filter((target) => target !== west);
      await using proxy = await CuttableProxy.start(west.server);
      await proxy.refuse();
      await scene.startOperator();
      for (const target of fleet.targets) await stage.join(target === west ? { ...target, server: proxy.url } : target);
      const quarantined = { metadata: { annotations: { [releaseKeys.annotations.quarantine]: "broken rack" } } };
      await stage.delivery.of(Cluster).patch({ namespace: stage.namespace, name: "west" }, "merge", quarantined);
      for (const tag of ["v1", "v2"]) await releaseOn(others, stage, tag);
      await stage.fail("v2");
      await untilOn(others, stage, "v1");
      expect(await stage.hasNamespaceOn(west)).toBe(false);
      await proxy.resume();
      await untilOn([west], stage, "v1");
      await stage.untilReleased("v1");
      await stage.untilState("v2", "failed");
      expect(await stage.replicasOn(west)).toMatch(/^v1 2(, v2 0)?$/);

      await proxy.refuse();
      for (const tag of ["v3", "v4"]) await releaseOn(others, stage, tag);
      expect(await stage.weightsOn(west)).toBe("v1 100");
      expect(await stage.replicasOn(west)).toMatch(/^v1 2(, v2 0)?$/);
      await proxy.resume();
      await untilOn([west], stage, "v4");
      await stage.until("west has drained v1", async () => /v1 0/.test(await stage.replicasOn(west)));
      expect(recorder.broken(stage.place, drainMs)).toEqual([]);
    });
  });
}

async function releaseOn(targets: readonly RealTarget[], stage: FleetStage, tag: string): Promise<void> {
  await stage.release(tag);
  await untilOn(targets, stage, tag);
}

async function untilOn(targets: readonly RealTarget[], stage: FleetStage, tag: string): Promise<void> {
  const names = targets.map(({ name }) => name).join(" and ");
  await stage.until(`${tag} has it all on ${names}`, async () => {
    const weights = await Promise.all(targets.map((target) => stage.weightsOn(target)));
    return weights.every((each) => each === `${tag} 100`);
  });
}

/** v1 released, v2 on its way. */
async function midRamp(stage: FleetStage, prepare: () => Promise<void> = async () => {}): Promise<void> {
  await stage.joinAll();
  await prepare();
  await stage.released("v1");
  await stage.release("v2");
  await stage.until("v2 ramps", async () => ((await stage.entry("v2"))?.currentPercent ?? 0) >= 20);
}

/** All that anybody may read there, but for the Secrets themselves. */
async function toldByApi({ delivery, namespace }: FleetStage): Promise<readonly unknown[]> {
  const kinds: readonly Kind[] = [CoreEvent, Cluster, ReleaseManager, Revision];
  return Promise.all(kinds.map((kind) => delivery.of(kind).list({ namespace })));
}

/** As they are, and as a Secret has them. */
function secretsOf(accounts: readonly Account[]): readonly string[] {
  const tokens = accounts.flatMap(({ authInfo }) => authInfo["token"] ?? []);
  if (tokens.length < accounts.length) throw new Error("an account has a token");
  return tokens.flatMap((token) => [token, Buffer.from(token).toString("base64")]);
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
