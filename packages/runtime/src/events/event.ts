import { hash } from "node:crypto";
import type { CoreEvent, KubeObject } from "@chaski/kube";
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

/**
 * core/v1 rather than events.k8s.io/v1: both end in the same store, and `kubectl describe` of every age shows the
 * count of this one as `x4 over 5m`.
 */
export function buildEvent(
  regarding: Readonly<KubeObject>,
  note: EventNote,
  source: EventSource,
  nowMs: number,
): CoreEvent {
  const { apiVersion, kind, metadata } = regarding;
  const time = new Date(nowMs).toISOString().replace(/\.\d+Z$/, "Z");
  const message = note.message.length > MESSAGE_MAX ? `${note.message.slice(0, MESSAGE_MAX - 1)}…` : note.message;
  const { namespace = "default", name, uid, resourceVersion } = metadata;
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { namespace, name: eventName(regarding, note, source, nowMs) },
    involvedObject: {
      apiVersion,
      kind,
      name,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
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

function eventName({ metadata }: KubeObject, note: EventNote, source: EventSource, nowMs: number): string {
  const seed = JSON.stringify([metadata.uid, note, source.instance, nowMs]);
  const suffix = hash("sha256", seed).slice(0, 16);
  return `${metadata.name.slice(0, NAME_MAX - suffix.length - 1)}.${suffix}`;
}

/** What the event is about, and who says so. */
export function subjectKey({ involvedObject, source }: CoreEvent): string {
  const { apiVersion, kind, namespace, name, uid } = involvedObject;
  return [source?.component, apiVersion, kind, namespace, name, uid].join("|");
}

/** Events that differ in nothing but their message. */
export function similarityKey(event: CoreEvent): string {
  return [subjectKey(event), event.type, event.reason, event.reportingInstance].join("|");
}
