import type { KubeObject, Ref } from "@chaski/kube";
import { nameOf } from "./ref-name.ts";
import { hashOf } from "../cache/content-hash.ts";
import { isMap, type Payload } from "./payload.ts";

interface Agreed {
  readonly ref: Ref;
  readonly uid: string | undefined;
  readonly hash: string;
  readonly resourceVersion: string | undefined;
  /** What the server made of the fields that we sent; undefined where the cache does not show all of them. */
  readonly projection: string | undefined;
}

/**
 * What was once found to agree with what we send. The server normalises (quantities, defaults, a webhook's wishes), and
 * nobody can know all its rules; what it made of our last apply is remembered instead.
 */
export class AppliedMemory {
  readonly #agreed = new Map<string, Agreed>();
  readonly #absent = new Set<string>();

  /** The object agrees, and shows all that we sent. */
  remember(ref: Ref, payload: Payload, live: Readonly<KubeObject>): void {
    this.#set(ref, payload, { live, projection: projectionHash(payload, live) });
  }

  /** The object agrees still: what was known of its fields holds. */
  rememberSame(ref: Ref, payload: Payload, live: Readonly<KubeObject>): void {
    this.#set(ref, payload, { live, projection: this.#find(ref, payload, live)?.projection });
  }

  /** The object agrees, but what the cache shows of it says so for this version only. */
  rememberVersion(ref: Ref, payload: Payload, live: Readonly<KubeObject>): void {
    this.#set(ref, payload, { live, projection: undefined });
  }

  /** Nothing at all has changed since it agreed. */
  isSameVersion(ref: Ref, payload: Payload, live: Readonly<KubeObject>): boolean {
    const agreed = this.#find(ref, payload, live);
    return agreed !== undefined && agreed.resourceVersion === live.metadata.resourceVersion;
  }

  /** The fields that we send have the values that they had when it agreed. */
  hasSameFields(ref: Ref, payload: Payload, live: Readonly<KubeObject>): boolean {
    const projection = this.#find(ref, payload, live)?.projection;
    return projection !== undefined && projection === projectionHash(payload, live);
  }

  /** What is known to be there. */
  get refs(): readonly Ref[] {
    return [...this.#agreed.values()].map(({ ref }) => ref);
  }

  rememberAbsent(ref: Ref): void {
    this.#agreed.delete(nameOf(ref));
    this.#absent.add(nameOf(ref));
  }

  /** Since it was found to be absent or removed by us, we have not written it. */
  isAbsent(ref: Ref): boolean {
    return this.#absent.has(nameOf(ref));
  }

  #set(
    ref: Ref,
    { hash }: Payload,
    seen: { readonly live: Readonly<KubeObject>; readonly projection: string | undefined },
  ): void {
    const { uid, resourceVersion } = seen.live.metadata;
    this.#absent.delete(nameOf(ref));
    this.#agreed.set(nameOf(ref), { ref, uid, hash, resourceVersion, projection: seen.projection });
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
