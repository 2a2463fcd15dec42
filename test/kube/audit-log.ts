import { readFile } from "node:fs/promises";

export type AuditLevel = "Metadata" | "Request" | "RequestResponse";

/** What the API server's audit log says of one request (audit.k8s.io/v1, the fields that tests read). */
export interface AuditEvent {
  readonly auditID: string;
  readonly stage: "ResponseStarted" | "ResponseComplete" | "Panic";
  readonly verb: string;
  readonly requestURI: string;
  readonly user: { readonly username: string; readonly groups?: readonly string[] };
  readonly userAgent?: string;
  readonly objectRef?: {
    readonly resource?: string;
    readonly apiGroup?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly subresource?: string;
  };
  readonly responseStatus?: { readonly code?: number; readonly reason?: string };
  readonly requestObject?: Readonly<Record<string, unknown>>;
  readonly responseObject?: Readonly<Record<string, unknown>>;
  /** Microseconds: when the request arrived, and when its answer was complete. */
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
}

export interface AuditFilter {
  readonly user?: string;
  readonly verbs?: readonly string[];
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly code?: number;
  readonly stage?: AuditEvent["stage"];
}

export const WRITE_VERBS = ["create", "update", "patch", "delete", "deletecollection"] as const;

/** Answered requests in the order in which they were logged, oldest first. A line that is being written is left out. */
export async function readAuditLog(file: string, filter: AuditFilter = {}): Promise<AuditEvent[]> {
  const text = await readFile(file, "utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  return whole
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as AuditEvent)
    .filter((event) => matches(event, { stage: "ResponseComplete", ...filter }));
}

function matches(event: AuditEvent, filter: AuditFilter): boolean {
  const { objectRef = {} } = event;
  const pairs: readonly (readonly [unknown, unknown])[] = [
    [filter.stage, event.stage],
    [filter.user, event.user.username],
    [filter.resource, objectRef.resource],
    [filter.subresource, objectRef.subresource],
    [filter.namespace, objectRef.namespace],
    [filter.name, objectRef.name],
    [filter.code, event.responseStatus?.code],
  ];
  const isWanted = pairs.every(([wanted, actual]) => wanted === undefined || wanted === actual);
  return isWanted && (filter.verbs?.includes(event.verb) ?? true);
}

export function auditPolicy(level: AuditLevel): string {
  return JSON.stringify({
    apiVersion: "audit.k8s.io/v1",
    kind: "Policy",
    omitStages: ["RequestReceived"],
    rules: [{ level }],
  });
}
