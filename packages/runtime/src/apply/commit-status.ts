import type { Clock } from "@chaski/clock";
import { findDisagreement, type KubeObject, keyOf, refTo, semanticallyEqual } from "@chaski/kube";
import type { Gate } from "../decision/index.ts";
import type { Pass } from "./applier.ts";
import { GATE_VALUE_INTERVAL_MS, hasSameVerdicts, statusGates } from "./gates.ts";
import { hashOf } from "../cache/content-hash.ts";
import { at, identity } from "./payload.ts";
import type { Writer } from "./writer.ts";

type Status = Readonly<Record<string, unknown>> & { readonly gates?: readonly Gate[] };

/** What is remembered of an owner's status between its passes. */
interface Remembered {
  readonly uid: string | undefined;
  /** Of what we sent last. */
  readonly sent: string;
  /** The owner as of then. */
  readonly version: string | undefined;
  /** Of what the server made of it, once that version was seen. */
  readonly became?: string;
  readonly gatesAtMs: number;
}

/** A status that may be sent. */
class Candidate {
  readonly status: Status;
  #hash: string | undefined;

  constructor(status: Status) {
    this.status = status;
  }

  get hash(): string {
    this.#hash ??= hashOf(this.status);
    return this.#hash;
  }
}

/** Writes decided statuses: one per owner, only when it differs, refused if the owner has moved on. */
export class StatusCommits {
  readonly #clock: Clock;
  readonly #remembered = new Map<string, Remembered>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The owner as it is after the write; undefined if there was nothing to write. */
  async commit(pass: Pass<unknown>, writer: Writer, manager: string): Promise<KubeObject | undefined> {
    const { owner, kind, decision } = pass;
    if (decision.status === undefined) return undefined;
    const before = statusOf(owner);
    const known = this.#known(pass);
    const candidate = this.#candidate(pass, before, known);
    if (isAsSent(candidate, before, known)) return undefined;

    const { status } = candidate;
    const ref = refTo(kind, owner);
    const object = { ...at(identity(ref), owner.metadata), status };
    const request = { object, manager, force: true, subresource: "status", isAnsweredBriefly: true } as const;
    const { metadata } = await writer.apply(ref, { ...request, live: owner });
    this.#remember(pass, candidate, metadata.resourceVersion);
    // The rest is what was decided on: the write would have been refused.
    const after: KubeObject & { readonly status: Status } = { ...owner, metadata, status };
    return after;
  }

  forget(controller: string, ownerKey: string): void {
    this.#remembered.delete(ownerName(controller, ownerKey));
  }

  #known({ controller, owner }: Pass<unknown>): Remembered | undefined {
    const name = ownerName(controller, keyOf(owner.metadata));
    const known = this.#remembered.get(name);
    if (!known || known.uid !== owner.metadata.uid) return undefined;
    if (known.became !== undefined || known.version !== owner.metadata.resourceVersion) return known;
    const seen = { ...known, became: hashOf(statusOf(owner)) };
    this.#remembered.set(name, seen);
    return seen;
  }

  #remember({ controller, owner }: Pass<unknown>, { hash: sent }: Candidate, version: string | undefined): void {
    const { uid } = owner.metadata;
    const gatesAtMs = this.#clock.monotonic();
    this.#remembered.set(ownerName(controller, keyOf(owner.metadata)), { uid, sent, version, gatesAtMs });
  }

  #candidate({ decision }: Pass<unknown>, before: Status, known: Remembered | undefined): Candidate {
    const decided = decision.status as Status;
    const gates = statusGates(decision.gates, before.gates ?? [], this.#clock);
    const withGates = new Candidate(gates.length > 0 ? { ...decided, gates } : decided);
    if (!before.gates || !this.#mayKeepGates(gates, before.gates, known)) return withGates;
    const withGatesBefore = new Candidate({ ...decided, gates: before.gates });
    // If something else has to be written, then with the newest values.
    return isAsSent(withGatesBefore, before, known) ? withGatesBefore : withGates;
  }

  #mayKeepGates(gates: readonly Gate[], before: readonly Gate[], known: Remembered | undefined): boolean {
    if (known === undefined || !hasSameVerdicts(gates, before)) return false;
    return this.#clock.monotonic() - known.gatesAtMs < GATE_VALUE_INTERVAL_MS;
  }
}

/** Whether the status would be the same after it was sent. */
function isAsSent(candidate: Candidate, before: Status, known: Remembered | undefined): boolean {
  if (semanticallyEqual(candidate.status, before)) return true;
  if (known?.sent !== candidate.hash) return false;
  // Others may write into the same status, and the server has its own idea of a value.
  return known.became === hashOf(before) || findDisagreement(candidate.status, before) === undefined;
}

function statusOf(object: Readonly<KubeObject>): Status {
  return (object as { readonly status?: Status }).status ?? {};
}

function ownerName(controller: string, ownerKey: string): string {
  return `${controller} ${ownerKey}`;
}
