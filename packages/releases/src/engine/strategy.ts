// The next percent of a revision's strategy (§6.1).
import type { ReleaseSettings, Strategy } from "./settings.ts";

export function nextIncrement(
  { strategy, max }: Pick<ReleaseSettings, "strategy" | "max">,
  current: number,
  limit: number,
): number {
  if (limit === 0) return 0;
  const ceiling = Math.min(limit, max);
  return current > ceiling ? ceiling : Math.min(stepFrom(strategy, current), ceiling);
}

function stepFrom(strategy: Strategy, current: number): number {
  switch (strategy.type) {
    case "linear":
      return current + strategy.increment;
    case "geometric":
      return current < strategy.start ? strategy.start : current * strategy.factor;
    case "unknown":
      return current;
  }
}
