import { RE2JS } from "@bufbuild/re2";

// Patterns come from users: only an engine that never backtracks may run them.
const compiled = new Map<string, RE2JS | string>();
const compiledMax = 2000;

/** The compiled pattern, or the server's text of what is wrong with it. */
export function compilePattern(pattern: string): RE2JS | string {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (compiled.size >= compiledMax) compiled.clear();
  const result = tryCompile(pattern);
  compiled.set(pattern, result);
  return result;
}

function tryCompile(pattern: string): RE2JS | string {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
