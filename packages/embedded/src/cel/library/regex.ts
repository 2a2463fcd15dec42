import type { Environment } from "@marcbachmann/cel-js";
import { compilePattern } from "../../schema/patterns.ts";

// The engine only tells whether text matches, so places of matches are searched for; that is bounded.
const searchedMax = 4096;

export function registerRegex(environment: Environment): void {
  environment
    // The interpreter's own `matches` may backtrack for ever; calls to it are renamed to this.
    .registerFunction("string.matchesSafely(string): bool", (text: string, pattern: string) =>
      compiled(pattern).test(text),
    )
    .registerFunction(
      "string.find(string): string",
      (text: string, pattern: string) => findAll(text, pattern, 1)[0] ?? "",
    )
    .registerFunction("string.findAll(string): list<string>", (text: string, pattern: string) => findAll(text, pattern))
    .registerFunction("string.findAll(string, int): list<string>", (text: string, pattern: string, limit: bigint) =>
      findAll(text, pattern, limit < 0n ? undefined : Number(limit)),
    );
}

function compiled(pattern: string) {
  const regex = compilePattern(pattern);
  if (typeof regex === "string") throw new Error(regex);
  return regex;
}

function findAll(text: string, pattern: string, limit = Number.POSITIVE_INFINITY): string[] {
  if (text.length > searchedMax) throw new Error(`text of more than ${searchedMax} characters can't be searched`);
  const exact = compiled(pattern);
  const from = compiled(`^(?:${pattern})`);
  const startMax = pattern.startsWith("^") ? 0 : text.length;
  const found: string[] = [];
  for (let start = 0; start <= startMax && found.length < limit; start++) {
    const rest = text.slice(start);
    if (!from.test(rest)) continue;
    let end = rest.length;
    while (end > 0 && !exact.testExact(rest.slice(0, end))) end--;
    found.push(rest.slice(0, end));
    if (end > 0) start += end - 1;
  }
  return found;
}
