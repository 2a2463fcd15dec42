// A judge says of a revision whether it is good, bad, or that it can't say (§17.4). It polls on its own; whoever gathers
// a world reads its last answer and waits for nothing.
import type { Evidence } from "../engine/world.ts";

/** What a judge is asked about. */
export interface Subject {
  readonly app: string;
  readonly tag: string;
  /** The Revision's `canaryWithSLIRules`: only the canary alerts of its tag count. */
  readonly isCanaryOnly: boolean;
}

export interface Judge {
  /** As in Evidence, gates and conditions: `prometheus`, `datadog` … */
  readonly name: string;
  /**
   * The last answer; unknown before the first one, or when the last one is too old. Asking keeps the judge at work on
   * the subject for a while, so ask in every pass that judges it, and do not ask about anything else.
   */
  evidenceOf(subject: Subject): Evidence;
  /**
   * Called with the subjects whose evidence has changed, or that nobody has asked about for so long that they are about
   * to be forgotten: wake their releases.
   */
  subscribe(listener: (subjects: readonly Subject[]) => void): Disposable;
  /** Ends polling and every call under way. */
  stop(): void;
}
