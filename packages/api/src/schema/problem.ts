/** Something wrong with an object, told where it was written: by the webhook, in a condition and by `chaski lint` alike. */
export interface Problem {
  /** As kubectl writes it: `spec.targets[0].scale.min`. */
  readonly path: string;
  /** What is wrong, and the way out. */
  readonly message: string;
}

export function describeProblems(problems: readonly Problem[]): string {
  return problems.map(({ path, message }) => `${path}: ${message}`).join("; ");
}
