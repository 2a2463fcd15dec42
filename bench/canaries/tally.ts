// Who has called an API server how often.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { until } from "@chaski/test/kube";

export interface Call {
  readonly atMs: number;
  readonly isEvent: boolean;
  /** Whether the server lives, rather than anything about an object. */
  readonly isProbe: boolean;
  /** Begun anew every few minutes by everyone who watches: how many, in half a minute, is chance. */
  readonly isWatch: boolean;
  /** Of the object that was called; events bear the name of what they are about, and more. */
  readonly name: string;
  /** Resource, namespace and name; empty where it is no single object. */
  readonly object: string;
  readonly hasWritten: boolean;
  /** Verb, kind and answer, for people. */
  readonly words: string;
}

/** All calls since the beginning. */
export type Tally = () => Promise<readonly Call[]>;

interface AuditLine {
  readonly requestReceivedTimestamp: string;
  readonly requestURI: string;
  readonly verb: string;
  readonly objectRef?: ObjectRef;
  readonly responseStatus?: { readonly code?: number };
}

interface ObjectRef {
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** One user's calls, by the audit log of a real API server. Each line is read once. */
export function auditTally(file: string, user: string): Tally {
  const calls: Call[] = [];
  const byUser = `"username":"${user}"`;
  let offset = 0;
  return async () => {
    const text = createReadStream(file, { start: offset, encoding: "utf8" });
    for await (const line of createInterface({ input: text, crlfDelay: Number.POSITIVE_INFINITY })) {
      // The last line may be half written: left for the next time.
      if (!line.endsWith("}")) break;
      offset += Buffer.byteLength(line) + 1;
      if (line.includes(byUser) && isCounted(line)) calls.push(callOf(line));
    }
    return [...calls];
  };
}

/** A watch when it starts, all else when it is answered. */
function isCounted(line: string): boolean {
  return line.includes('"stage":"ResponseStarted"') === line.includes('"verb":"watch"');
}

function callOf(line: string): Call {
  const { requestReceivedTimestamp, requestURI, verb, objectRef = {}, responseStatus } = JSON.parse(line) as AuditLine;
  const atMs = Date.parse(requestReceivedTimestamp);
  return callTo(objectRef, { atMs, verb, uri: requestURI, code: responseStatus?.code ?? 0 });
}

export interface Request {
  readonly atMs: number;
  /** As Kubernetes names it. */
  readonly verb: string;
  readonly uri: string;
  readonly code: number;
}

const WRITING_VERBS = ["create", "update", "patch", "delete", "deletecollection"];

export function callTo(objectRef: ObjectRef, { atMs, verb, uri, code }: Request): Call {
  const { resource = "(path)", subresource = [], namespace = [], name = "" } = objectRef;
  const isDryRun = uri.includes("dryRun=");
  return {
    atMs,
    isEvent: resource === "events",
    isProbe: uri.startsWith("/livez"),
    isWatch: verb === "watch",
    name,
    object: name === "" ? "" : `${resource} ${[namespace, name].flat().join("/")}`,
    hasWritten: WRITING_VERBS.includes(verb) && !isDryRun && code < 300,
    words: [verb, [resource, subresource].flat().join("/"), isDryRun ? "dry run" : [], code].flat().join(" "),
  };
}

/** A program's calls by its own metrics, which tell no more than their number. */
export function metricsTally(url: string): Tally {
  return async () => {
    const answer = await fetch(url).catch(() => undefined);
    const page = (await answer?.text()) ?? "";
    const values = page.split("\n").filter((line) => line.startsWith("rest_client_requests_total{"));
    const count = values.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
    return Array.from({ length: count }, () => callTo({}, { atMs: 0, verb: "", uri: "", code: 0 }));
  };
}

const QUIET_MS = 3_000;

/** Waits until the program has been silent for a while after its first calls; all of them but probes. */
export async function untilQuiet<T extends Call>(tally: () => Promise<readonly T[]>): Promise<readonly T[]> {
  let last: readonly T[] = [];
  const isQuiet = async (): Promise<readonly T[] | undefined> => {
    const now = (await tally()).filter(({ isProbe }) => !isProbe);
    const isSame = now.length > 0 && now.length === last.length;
    last = now;
    return isSame ? now : undefined;
  };
  return await until(isQuiet, { what: "it is quiet", withinMs: 600_000, everyMs: QUIET_MS });
}

export function countsOf(calls: readonly Call[]): Readonly<Record<string, number>> {
  const counts = Object.entries(Object.groupBy(calls, ({ words }) => words));
  return Object.fromEntries(counts.map(([words, alike = []]) => [words, alike.length]));
}
