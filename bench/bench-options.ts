export interface BenchOptions {
  /** Below 1: a short run, to try a change; goals are meant for 1. */
  readonly scale: number;
  /** How many objects, where a benchmark lets one choose; goals are meant for its default. */
  readonly count?: number | undefined;
  /** Single stages, where a benchmark has several. */
  readonly only?: readonly string[] | undefined;
  /** On real control planes too, where that takes long. */
  readonly isReal?: boolean;
  readonly log: (line: string) => void;
}
