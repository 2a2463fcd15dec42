import { type Span, span, type Style } from "./line.ts";

/** Filled by percent: what is not zero shows at least one cell, what is not all leaves one. */
export function bar(percent: number, cells: number, style: Style): readonly Span[] {
  const share = Math.round((percent / 100) * cells);
  const atLeast = percent > 0 ? 1 : 0;
  const atMost = percent < 100 ? cells - 1 : cells;
  const filled = Math.min(Math.max(share, atLeast), Math.max(atMost, atLeast));
  return [span("━".repeat(filled), style), span("·".repeat(Math.max(0, cells - filled)), "dim")];
}

const PODS_DRAWN_MAX = 20;

/** Ready pods filled, those to come hollow; many as numbers only. */
export function podDots(ready: number, desired: number): readonly Span[] {
  if (Math.max(ready, desired) > PODS_DRAWN_MAX) return [];
  return [span("●".repeat(ready), "green"), span("○".repeat(Math.max(0, desired - ready)), "yellow")];
}
