import type { Transport } from "@chaski/kube";
import { type ConformanceCase, pathIn } from "./case.ts";
import { Normaliser } from "./normalise.ts";
import { type Exchange, Requests } from "./requests.ts";

export interface Disagreement {
  readonly name: string;
  /** Which exchange of the case, and what each server made of it. */
  readonly request: string;
  readonly embedded: unknown;
  readonly real: unknown;
  /** The texts alone differ: reported, but no disagreement. */
  readonly isInWordsOnly: boolean;
}

export interface Servers {
  readonly embedded: Transport;
  readonly real: Transport;
}

/** What the two servers disagree on in one case; empty when they agree. */
export async function compare(
  servers: Servers,
  { name, run }: ConformanceCase,
  namespace: string,
): Promise<Disagreement[]> {
  const [embedded, real] = await Promise.all([
    record(servers.embedded, run, namespace),
    record(servers.real, run, namespace),
  ]);
  const steps = Array.from({ length: Math.max(embedded.length, real.length) }, (_, index) => index);
  return steps.flatMap((index) => disagreementOf(name, embedded[index] ?? NOTHING, real[index] ?? NOTHING));
}

const NOTHING: Recorded = { request: "", answer: undefined };

function disagreementOf(name: string, ours: Recorded, theirs: Recorded): Disagreement[] {
  if (JSON.stringify(ours.answer) === JSON.stringify(theirs.answer)) return [];
  const isInWordsOnly = withoutWords(ours.answer) === withoutWords(theirs.answer);
  const request = theirs.request || ours.request;
  return [{ name, request, embedded: ours.answer, real: theirs.answer, isInWordsOnly }];
}

interface Recorded {
  readonly request: string;
  readonly answer: unknown;
}

async function record(transport: Transport, run: ConformanceCase["run"], namespace: string): Promise<Recorded[]> {
  const exchanges: Exchange[] = [];
  const setup = new Requests(transport);
  await setup.post("/api/v1/namespaces", { metadata: { name: namespace } });
  const api = new Requests(transport, (exchange) => exchanges.push(exchange));
  const failure = await run({
    api,
    namespace,
    path: (apiVersion, plural, ...rest) => pathIn(namespace, apiVersion, plural, ...rest),
    unique: (name) => `${namespace}-${name}`,
  }).then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  );
  const normaliser = new Normaliser();
  const recorded = exchanges.map(({ method, path, status, body }) => ({
    request: `${method} ${path}`,
    answer: normaliser.answer(status, body),
  }));
  return failure === undefined ? recorded : [...recorded, { request: "the case itself", answer: failure }];
}

function withoutWords(answer: unknown): string {
  return JSON.stringify(answer, (key, value: unknown) => (key === "message" ? undefined : value));
}
