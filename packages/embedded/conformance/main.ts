// `npm run conformance [-- --sequences=3000 --seed=1 --only=text --words --json]`: every case and random sequences
// against the embedded and a real API server. KUBE_URL and KUBE_TOKEN name one that runs; else one is started.
import { createEmbeddedCluster } from "@chaski/embedded";
import type { Transport } from "@chaski/kube";
import { startControlPlane } from "@chaski/test/kube";
import { parseArgs } from "node:util";
import { allCases } from "./cases/index.ts";
import { fuzz } from "./fuzz/fuzz.ts";
import { httpsTransport } from "./https-transport.ts";
import { compare, type Disagreement, type Servers } from "./run.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean" },
    words: { type: "boolean" },
    only: { type: "string" },
    sequences: { type: "string" },
    seed: { type: "string" },
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
  onDisagreement: ({ seed: own, operations, disagreements: found }) => {
    if (values.json) return;
    console.log(`\n✗ sequence ${own}: ${JSON.stringify(operations, undefined, 1)}`);
    for (const disagreement of found) print(disagreement);
  },
});
await embedded.close();
console.log(
  values.json
    ? JSON.stringify({ cases: cases.length, agreed, sequences, disagreements })
    : `${agreed} of ${cases.length} cases agree with the real API server; ${disagreements} of ${sequences} random sequences disagree`,
);
process.exitCode = agreed === cases.length && disagreements === 0 ? 0 : 1;

function print({ name, request, embedded, real }: Disagreement): void {
  console.log(`\n✗ ${name}\n  ${request}`);
  const [ours, theirs] = [lines(embedded), lines(real)];
  for (const line of theirs) if (!ours.includes(line)) console.log(`    real     ${line}`);
  for (const line of ours) if (!theirs.includes(line)) console.log(`    embedded ${line}`);
}

/** One line per leaf, so that a difference shows where it is. */
function lines(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [`${path} = ${JSON.stringify(value)}`];
  const entries = Object.entries(value);
  if (entries.length === 0) return [`${path} = ${Array.isArray(value) ? "[]" : "{}"}`];
  return entries.flatMap(([key, child]) => lines(child, `${path}.${key}`));
}

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
