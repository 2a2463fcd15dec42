import type { KubeObject, Ref } from "@chaski/kube";
import { nameOf } from "./ref-name.ts";
import { hashOf, isMap, type Payload } from "./payload.ts";

interface Agreed {
  readonly uid: string | undefined;
  readonly hash: string;
  readonly resourceVersion: string | undefined;
  /** What the server made of the fields that we sent. */
  readonly projection: string;
}

/**
 * What was once found to agree with what we send. The server normalises (quantities, defaults, a webhook's wishes), and
 * nobody can know all its rules; what it made of our last apply is remembered instead.
 */
export class AppliedMemory {
  readonly #agreed = new Map<string, Agreed>();

  remember(ref: Ref, payload: Payload, live: Readonly<KubeObject>): void {
    const { uid, resourceVersion } = live.metadata;
    const projection = projectionHash(payload, live);
    this.#agreed.set(nameOf(ref), { uid, hash: payload.hash, resourceVersion, projection });
  }

  /** Nothing at all has changed since it agreed. */
  isSameVersion(ref: Ref, payload: Payload, live: Readonly<KubeObject>): boolean {
    const agreed = this.#find(ref, payload, live);
    return agreed !== undefined && agreed.resourceVersion === live.metadata.resourceVersion;
  }

  /** The fields that we send have the values that they had when it agreed. */
  hasSameFields(ref: Ref, payload: Payload, live: Readonly<KubeObject>): boolean {
    const agreed = this.#find(ref, payload, live);
    return agreed !== undefined && agreed.projection === projectionHash(payload, live);
  }

  forget(ref: Ref): void {
    this.#agreed.delete(nameOf(ref));
  }

  #find(ref: Ref, { hash }: Payload, { metadata }: Readonly<KubeObject>): Agreed | undefined {
    const agreed = this.#agreed.get(nameOf(ref));
    return agreed?.uid === metadata.uid && agreed?.hash === hash ? agreed : undefined;
  }
}

/** Stands for the live values of the fields that are sent. */
export function projectionHash({ object }: Payload, live: Readonly<KubeObject>): string {
  return hashOf(projection(object, live));
}

/** The live values of the fields that are set; lists whole, since who added an item is not told by looking at it. */
function projection(wanted: unknown, live: unknown): unknown {
  if (!isMap(wanted) || !isMap(live)) return live;
  return Object.fromEntries(Object.keys(wanted).map((field) => [field, projection(wanted[field], live[field])]));
}
