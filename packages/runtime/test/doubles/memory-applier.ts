import { keyOf } from "@chaski/kube";
import type { Applier, ClusterResult, CommitOutcome, Pass } from "@chaski/runtime";

/** Commits nothing: remembers what it was given, and answers what the test wants. */
export class MemoryApplier implements Applier {
  readonly passes: Pass<unknown>[] = [];
  answer: (pass: Pass<unknown>) => CommitOutcome | Promise<CommitOutcome> = () => ({
    outcome: "committed",
    hasChanged: false,
  });
  readonly resultsOf = new Map<string, readonly ClusterResult[]>();
  #wake: (controller: string, ownerKey: string) => void = () => {};

  commit<Status>(pass: Pass<Status>): Promise<CommitOutcome> {
    this.passes.push(pass);
    return Promise.resolve().then(() => this.answer(pass));
  }

  /** The owners in the order of their passes. */
  get keys(): readonly string[] {
    return this.passes.map(({ owner }) => keyOf(owner.metadata));
  }

  results(controller: string, ownerKey: string): readonly ClusterResult[] {
    return this.resultsOf.get(`${controller}:${ownerKey}`) ?? [];
  }

  onResult(wake: (controller: string, ownerKey: string) => void): void {
    this.#wake = wake;
  }

  finishLane(controller: string, ownerKey: string, results: readonly ClusterResult[]): void {
    this.resultsOf.set(`${controller}:${ownerKey}`, results);
    this.#wake(controller, ownerKey);
  }

  forget(controller: string, ownerKey: string): void {
    this.resultsOf.delete(`${controller}:${ownerKey}`);
  }

  drain(): Promise<void> {
    return Promise.resolve();
  }
}
