// `npm run conformance`: every case and random sequences against the embedded and a real API server.
import { createEmbeddedCluster } from "@chaski/embedded";
import type { Transport } from "@chaski/kube";
import { commandLine } from "@chaski/test/command-line";
import { startControlPlane } from "@chaski/test/kube";
import { allCases } from "./cases/index.ts";
import { fuzz } from "./fuzz/fuzz.ts";
import { httpsTransport } from "./https-transport.ts";
import { print } from "./print.ts";
import { compare, type Servers } from "./run.ts";

const usage = `usage: npm run conformance -- [options]
  --sequences 300   random sequences of requests, after the cases
  --seed 1          of the sequences
  --kind Pod        sequences about this kind only
  --only TEXT       cases whose name has the text
  --words           tell where messages differ in words only, too
  --json            {cases, agreed, sequences, disagreements}
KUBE_URL and KUBE_TOKEN name a real API server that runs; without them one is started.`;

const { values, numberOf } = commandLine({
  usage,
  options: {
    json: { type: "boolean" },
    words: { type: "boolean" },
    only: { type: "string" },
    sequences: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
    kind: { type: "string" },
  },
});
const sequences = numberOf("sequences", values.sequences);
const seed = numberOf("seed", values.seed);

await using real = await realServer();
const embedded = await createEmbeddedCluster({ controllers: false });
const servers: Servers = { embedded: embedded.transport, real: real.transport };
const cases = allCases.filter(({ name }) => name.includes(values.only ?? ""));
const run = `c${process.pid}`;
let agreed = 0;
for (const [index, conformanceCase] of cases.entries()) {
  const found = await compare(servers, conformanceCase, `${run}-${index}`);
  const disagreements = found.filter(({ isInWordsOnly }) => !isInWordsOnly);
  if (disagreements.length === 0) agreed++;
  if (!values.json) for (const disagreement of values.words ? found : disagreements) print(disagreement);
}
const disagreements = await fuzz(servers, {
  sequences,
  seed,
  run,
  ...(values.kind !== undefined && { only: values.kind }),
  onDisagreement: (found) => {
    if (!values.json) print(found);
  },
});
await embedded.close();
console.log(
  values.json
    ? JSON.stringify({ cases: cases.length, agreed, sequences, disagreements })
    : `${agreed} of ${cases.length} cases agree with the real API server; ${disagreements} of ${sequences} random sequences disagree`,
);
process.exitCode = agreed === cases.length && disagreements === 0 ? 0 : 1;

async function realServer(): Promise<{ transport: Transport } & AsyncDisposable> {
  const url = process.env["KUBE_URL"];
  if (url !== undefined) {
    const transport = httpsTransport(url, { token: process.env["KUBE_TOKEN"] ?? "" });
    return { transport, [Symbol.asyncDispose]: () => transport.close() };
  }
  const plane = await startControlPlane({ name: "conformance" });
  const { server, ca, credentials } = plane.admin.definition;
  const transport = httpsTransport(server, { ca, ...credentials });
  return { transport, [Symbol.asyncDispose]: () => plane.stop() };
}
