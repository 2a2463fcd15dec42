// Who has called an API server how often.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

export interface Call {
  readonly atMs: number;
  readonly isEvent: boolean;
  /** Whether the server lives, rather than anything about an object. */
  readonly isProbe: boolean;
  /** Of the object that was called; events bear the name of what they are about, and more. */
  readonly name: string;
  /** Verb, kind and answer, for people. */
  readonly words: string;
}

/** All calls since the beginning. */
export type Tally = () => Promise<readonly Call[]>;

interface AuditLine {
  readonly requestReceivedTimestamp: string;
  readonly requestURI: string;
  readonly verb: string;
  readonly objectRef?: { readonly resource?: string; readonly subresource?: string; readonly name?: string };
  readonly responseStatus?: { readonly code?: number };
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
  const resource = [objectRef.resource ?? "(path)", objectRef.subresource ?? []].flat().join("/");
  return {
    atMs: Date.parse(requestReceivedTimestamp),
    isEvent: objectRef.resource === "events",
    isProbe: requestURI.startsWith("/livez"),
    name: objectRef.name ?? "",
    words: [verb, resource, requestURI.includes("dryRun=") ? "dry run" : [], responseStatus?.code ?? []]
      .flat()
      .join(" "),
  };
}

/** A program's calls by its own metrics, which tell no more than their number. */
export function metricsTally(url: string): Tally {
  return async () => {
    const answer = await fetch(url).catch(() => undefined);
    const page = (await answer?.text()) ?? "";
    const values = page.split("\n").filter((line) => line.startsWith("rest_client_requests_total{"));
    const count = values.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
    return Array.from({ length: count }, () => ({ atMs: 0, isEvent: false, isProbe: false, name: "", words: "" }));
  };
}
