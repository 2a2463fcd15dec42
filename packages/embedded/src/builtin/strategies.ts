import type { Strategy } from "../registry/strategy.ts";

/** By `group/kind`. A kind without an entry has neither defaults nor rules of its own. */
export const STRATEGIES: Readonly<Record<string, Strategy>> = {};
