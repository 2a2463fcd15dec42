import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { seededRandom } from "@chaski/clock";
import { type AuditEvent, type KubeUser, until, WRITE_VERBS } from "@chaski/test/kube";
import { useControlPlane } from "@chaski/test/kube/vitest";
import { afterEach, beforeAll, expect, test } from "vitest";

const plane = useControlPlane({ name: "leader", audit: "Metadata" });
const TIMINGS = { leaseMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000 };
/** The same proportions, for many hand-overs in little time. */
const QUICK = { leaseMs: 3_000, renewDeadlineMs: 2_000, retryMs: 400 };

class Replica {
  readonly name: string;
  readonly process: ChildProcess;
  readonly exited: Promise<unknown>;
  output = "";

  constructor(user: KubeUser, settings: { timings: typeof TIMINGS; blockMs?: number }) {
    this.name = user.name;
    const argument = { blockMs: 0, ...settings, kubeconfig: user.kubeconfigPath, identity: `${user.name}-${++count}` };
    const script = new URL("./leader-process.ts", import.meta.url).pathname;
    this.process = spawn(process.execPath, [script, JSON.stringify(argument)], { stdio: ["ignore", "pipe", "pipe"] });
    this.exited = once(this.process, "exit");
    for (const stream of [this.process.stdout, this.process.stderr])
      stream?.on("data", (chunk: Buffer) => void (this.output += chunk.toString()));
    replicas.push(this);
  }

  kill(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }

  async says(text: string, withinMs = 40_000): Promise<void> {
    await until(() => (this.output.includes(text) ? true : undefined), {
      what: `${this.name} says "${text}"`,
      withinMs,
    });
  }
}

let count = 0;
const replicas: Replica[] = [];
let alice: KubeUser;
let bob: KubeUser;

beforeAll(async () => {
  alice = await plane.current.addUser("alice");
  bob = await plane.current.addUser("bob");
  await plane.current.createIfMissing("/api/v1/namespaces/default/configmaps", { metadata: { name: "work" } });
  for (const user of [alice, bob])
    await plane.current.allow(user, [
      { apiGroups: [""], resources: ["configmaps"], verbs: ["*"] },
      { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["*"] },
    ]);
});

afterEach(async () => {
  for (const replica of replicas.splice(0)) {
    if (replica.process.exitCode !== null || replica.process.signalCode !== null) continue;
    replica.kill("SIGKILL");
    await replica.exited;
  }
});

const isAccepted = ({ responseStatus }: AuditEvent): boolean => (responseStatus?.code ?? 500) < 300;

/** Every write that the server accepted came from the one who held the lease when it arrived. */
async function expectOnlyHoldersWrote(): Promise<{ readonly handovers: number; readonly writes: number }> {
  const log = await plane.current.auditEvents({ verbs: WRITE_VERBS });
  const accepted = log.filter((event) => isAccepted(event) && ["alice", "bob"].includes(event.user.username));
  const leases = accepted.filter(({ objectRef }) => objectRef?.resource === "leases");
  const writes = accepted.filter(({ objectRef }) => objectRef?.resource === "configmaps");
  for (const write of writes) {
    const last = leases.filter(({ stageTimestamp }) => stageTimestamp <= write.requestReceivedTimestamp).at(-1);
    expect(last?.user.username, `${write.auditID} at ${write.requestReceivedTimestamp}`).toBe(write.user.username);
  }
  const holders = leases.map(({ user }) => user.username);
  const handovers = holders.filter((holder, index) => index > 0 && holder !== holders[index - 1]).length;
  return { handovers, writes: writes.length };
}

async function startPair(timings: typeof TIMINGS): Promise<{ leader: Replica; waiting: Replica }> {
  const leader = new Replica(alice, { timings });
  await leader.says("elected");
  return { leader, waiting: new Replica(bob, { timings }) };
}

test("a leader that is stopped for longer than its lease writes nothing when it goes on", async () => {
  const { leader, waiting } = await startPair(TIMINGS);
  await leader.says("at work");
  leader.kill("SIGSTOP");
  await waiting.says("at work");
  leader.kill("SIGCONT");
  await leader.says("lost");
  await leader.exited;
  expect(leader.process.exitCode).toBe(3);
  waiting.kill("SIGTERM");
  await waiting.exited;
  const { handovers, writes } = await expectOnlyHoldersWrote();
  expect(handovers).toBe(1);
  expect(writes).toBeGreaterThan(40);
});

test("the main thread may be busy for longer than the renew deadline", async () => {
  const busy = new Replica(alice, { timings: TIMINGS, blockMs: 12_000 });
  await busy.says("led through the block");
  busy.kill("SIGTERM");
  await busy.exited;
  expect(busy.process.exitCode).toBe(0);
});

test("a release hands over without waiting for the lease to end", async () => {
  const { leader, waiting } = await startPair(TIMINGS);
  await waiting.says("sees alice");
  leader.kill("SIGTERM");
  await leader.exited;
  await waiting.says("elected", TIMINGS.leaseMs / 2);
  await expectOnlyHoldersWrote();
});

test("through stops, kills and releases at random moments only the holder's writes are accepted", async () => {
  const random = seededRandom(7);
  const users = [alice, bob];
  let { leader, waiting } = await startPair(QUICK);
  for (let round = 0; round < 6; round++) {
    await until(() => (random() < 0.2 ? true : undefined), { what: "a random moment", everyMs: 100 });
    const signal = (["SIGSTOP", "SIGKILL", "SIGTERM"] as const)[round % 3] ?? "SIGSTOP";
    leader.kill(signal);
    await waiting.says("at work");
    if (signal === "SIGSTOP") leader.kill("SIGCONT");
    await leader.exited;
    const next = users.find(({ name }) => name === leader.name) ?? alice;
    [leader, waiting] = [waiting, new Replica(next, { timings: QUICK })];
  }
  const { handovers } = await expectOnlyHoldersWrote();
  expect(handovers).toBeGreaterThanOrEqual(6);
});
