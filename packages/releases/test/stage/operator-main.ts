// A replica of the operator as a process of its own, so that it can be killed.
import { RealClock, systemRandom } from "@chaski/clock";
import type { Transport } from "@chaski/kube";
import { defaultConnection, leadershipInThread, thisMachine, undisputed, undiciTransport } from "@chaski/runtime";
import { newOperator, wrappedSource } from "./operator.ts";
import type { ProcessSettings } from "./operator-process.ts";

const {
  kubeconfig,
  replica,
  dieAfter = Number.POSITIVE_INFINITY,
} = JSON.parse(process.argv[2] ?? "") as ProcessSettings;
const clock = new RealClock();
const source = { path: kubeconfig };
let writes = 0;

/** The last write reaches the cluster, and this process never hears of it. */
function mortal(transport: Transport): Transport {
  const send: Transport["send"] = async (request) => {
    const isWrite = request.method !== "GET" && !/\/events(\/|\?|$)/.test(request.path);
    if (isWrite) writes++;
    const isLast = isWrite && writes === dieAfter;
    const answer = await transport.send(request);
    if (isLast) process.kill(process.pid, "SIGKILL");
    return answer;
  };
  return { send, close: () => transport.close() };
}

const leadership = replica ? leadershipInThread({ source, ...replica }) : undisputed;
const { endpoint, credentials } = await defaultConnection(thisMachine(clock), source);
const operator = newOperator(
  { transport: mortal(undiciTransport(endpoint)), ...(credentials && { credentials }) },
  { clock, random: systemRandom, source: wrappedSource(mortal), leadership },
);
void leadership.lost.then(() => process.exit(3));
await operator.start();
