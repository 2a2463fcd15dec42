export class NoSuchStageError extends Error {}

/** The named ones, all looked up before the first of them runs for minutes. */
export function stagesOf<Stage>(stages: Readonly<Record<string, Stage>>, names: readonly string[]): readonly Stage[] {
  return names.map((name) => {
    const stage = stages[name];
    if (stage) return stage;
    throw new NoSuchStageError(`there is no stage ${name}; there are ${Object.keys(stages).join(", ")}`);
  });
}
