// `npm run conformance [-- --sequences=3000 --seed=1 --kind=Pod --only=text --words --json]`: every case and random sequences
// against the embedded and a real API server. KUBE_URL and KUBE_TOKEN name one that runs; else one is started.
import { createEmbeddedCluster } from "@chaski/embedded";
import type { Transport } from "@chaski/kube";
import { startControlPlane } from "@chaski/test/kube";
import { parseArgs } from "node:util";
import { allCases } from "./cases/index.ts";
import { fuzz } from "./fuzz/fuzz.ts";
import { httpsTransport } from "./https-transport.ts";
import { print } from "./print.ts";
import { compare, type Servers } from "./run.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean" },
    words: { type: "boolean" },
    only: { type: "string" },
    sequences: { type: "string" },
    seed: { type: "string" },
    kind: { type: "string" },
  },
});

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
const sequences = Number(values.sequences ?? 300);
const seed = Number(values.seed ?? 1);
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
