// A replica for leader.real.test.ts: stands for leadership and, while it leads, writes as fast as it can.
import { RealClock, systemRandom } from "@chaski/clock";
import { ConfigMap } from "@chaski/kube";
import { connect, defaultConnection, fencedTransport, leadershipInThread, thisMachine } from "@chaski/runtime";

interface Settings {
  readonly kubeconfig: string;
  readonly identity: string;
  readonly timings: { leaseMs: number; renewDeadlineMs: number; retryMs: number };
  /** How long the main thread does nothing else, as if it parsed something long. */
  readonly blockMs: number;
}

const settings = JSON.parse(process.argv[2] ?? "") as Settings;
const clock = new RealClock();
const source = { path: settings.kubeconfig };
const leadership = leadershipInThread({
  source,
  key: { namespace: "default", name: "operator" },
  identity: settings.identity,
  timings: settings.timings,
  onNews: ({ holder }) => holder && console.log(`sees ${holder}`),
});
const connection = await defaultConnection(thisMachine(clock), source);
const client = connect(connection, {
  clock,
  random: systemRandom,
  wrapTransport: (transport) => fencedTransport(transport, () => leadership.isLeading()),
});

const stop = new AbortController();
void leadership.lost.then(() => {
  console.log("lost");
  process.exit(3);
});
process.on("SIGTERM", () => stop.abort());

await leadership.elected;
console.log("elected");
if (settings.blockMs > 0) {
  const untilMs = clock.monotonic() + settings.blockMs;
  while (clock.monotonic() < untilMs);
  console.log(leadership.isLeading() ? "led through the block" : "lost while blocked");
}

const works = client.of(ConfigMap);
const key = { namespace: "default", name: "work" };
let work = await works.get(key);
for (let number = 0; !stop.signal.aborted; number++) {
  // As a controller's commit does: with the version that was decided on.
  const { resourceVersion } = work.metadata;
  const patch = { metadata: { resourceVersion }, data: { writer: settings.identity, number: String(number) } };
  try {
    work = await works.patch(key, "merge", patch);
    if (number === 20) console.log("at work");
  } catch (error) {
    console.log(`refused: ${(error as Error).message}`);
    work = await works.get(key);
  }
}
await leadership.release();
console.log("released");
process.exit(0);
