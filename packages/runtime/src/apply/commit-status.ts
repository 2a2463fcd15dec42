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
  /** Of what the server made of it. */
  readonly became: string;
  readonly gatesAtMs: number;
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
    const status = this.#status(pass, before, known);
    if (isAsSent(status, before, known)) return undefined;

    const ref = refTo(kind, owner);
    const object = { ...at(identity(ref), owner.metadata), status };
    const answer = await writer.apply(ref, { object, manager, force: true, subresource: "status", live: owner });
    this.#remembered.set(ownerName(pass.controller, keyOf(owner.metadata)), {
      uid: owner.metadata.uid,
      sent: hashOf(status),
      became: hashOf(statusOf(answer)),
      gatesAtMs: this.#clock.monotonic(),
    });
    return answer;
  }

  forget(controller: string, ownerKey: string): void {
    this.#remembered.delete(ownerName(controller, ownerKey));
  }

  #known({ controller, owner }: Pass<unknown>): Remembered | undefined {
    const known = this.#remembered.get(ownerName(controller, keyOf(owner.metadata)));
    return known?.uid === owner.metadata.uid ? known : undefined;
  }

  #status({ decision }: Pass<unknown>, before: Status, known: Remembered | undefined): Status {
    const decided = decision.status as Status;
    const gates = statusGates(decision.gates, before.gates ?? [], this.#clock);
    const withGates = gates.length > 0 ? { ...decided, gates } : decided;
    if (!before.gates || !this.#mayKeepGates(gates, before.gates, known)) return withGates;
    const withGatesBefore = { ...decided, gates: before.gates };
    // If something else has to be written, then with the newest values.
    return isAsSent(withGatesBefore, before, known) ? withGatesBefore : withGates;
  }

  #mayKeepGates(gates: readonly Gate[], before: readonly Gate[], known: Remembered | undefined): boolean {
    if (known === undefined || !hasSameVerdicts(gates, before)) return false;
    return this.#clock.monotonic() - known.gatesAtMs < GATE_VALUE_INTERVAL_MS;
  }
}

/** Whether the status would be the same after it was sent. */
function isAsSent(status: Status, before: Status, known: Remembered | undefined): boolean {
  if (semanticallyEqual(status, before)) return true;
  if (known?.sent !== hashOf(status)) return false;
  // Others may write into the same status, and the server has its own idea of a value.
  return known.became === hashOf(before) || findDisagreement(status, before) === undefined;
}

function statusOf(object: Readonly<KubeObject>): Status {
  return (object as { readonly status?: Status }).status ?? {};
}

function ownerName(controller: string, ownerKey: string): string {
  return `${controller} ${ownerKey}`;
}
