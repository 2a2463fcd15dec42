import { hash } from "node:crypto";
import { type CoreEvent, defined, type KubeObject } from "@chaski/kube";
import type { EventNote } from "../decision/index.ts";

/** Who reports: shown as `From` by kubectl. */
export interface EventSource {
  readonly component: string;
  /** The pod, so that two replicas can be told apart. */
  readonly instance: string;
}

/** The server's own limits. */
const MESSAGE_MAX = 1_024;
const NAME_MAX = 253;

/** What an event is about. */
export type Subject = CoreEvent["involvedObject"] & { readonly name: string };

/** Nothing but what names the object: events may wait for long, and an object is large. */
export function subjectOf({ apiVersion, kind, metadata }: Readonly<KubeObject>): Subject {
  const { namespace, name, uid, resourceVersion } = metadata;
  return defined({ apiVersion, kind, namespace, name, uid, resourceVersion });
}

export interface Noted {
  readonly subject: Subject;
  readonly note: EventNote;
  readonly atMs: number;
}

/**
 * core/v1 rather than events.k8s.io/v1: both end in the same store, and `kubectl describe` of every age shows the
 * count of this one as `x4 over 5m`.
 */
export function buildEvent({ subject, note, atMs }: Noted, source: EventSource): CoreEvent {
  const time = new Date(atMs).toISOString().replace(/\.\d+Z$/, "Z");
  const message = note.message.length > MESSAGE_MAX ? `${note.message.slice(0, MESSAGE_MAX - 1)}…` : note.message;
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { namespace: subject.namespace ?? "default", name: eventName({ subject, note, atMs }, source) },
    involvedObject: subject,
    type: note.type,
    reason: note.reason,
    message,
    source: { component: source.component },
    reportingComponent: source.component,
    reportingInstance: source.instance,
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
  };
}

function eventName({ subject, note, atMs }: Noted, { instance }: EventSource): string {
  const seed = JSON.stringify([subject.uid, note, instance, atMs]);
  const suffix = hash("sha256", seed).slice(0, 16);
  return `${subject.name.slice(0, NAME_MAX - suffix.length - 1)}.${suffix}`;
}

export function subjectKey({ apiVersion, kind, namespace, name, uid }: CoreEvent["involvedObject"]): string {
  return [apiVersion, kind, namespace, name, uid].join("|");
}

/** Events that differ in nothing but their message. */
export function similarityKey({ involvedObject, type, reason }: CoreEvent): string {
  return [subjectKey(involvedObject), type, reason].join("|");
}
