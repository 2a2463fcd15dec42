export interface UntilOptions {
  readonly what: string;
  readonly withinMs?: number;
  readonly everyMs?: number;
}

/** Asks again and again until the answer is not undefined; fails in words when that takes too long. */
export async function until<T>(
  ask: () => Promise<T | undefined> | T | undefined,
  { what, withinMs = 60_000, everyMs = 50 }: UntilOptions,
): Promise<T> {
  const deadlineMs = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadlineMs) throw new Error(`${what}: not within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
