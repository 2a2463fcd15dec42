import type { Result } from "@chaski/kube";

export interface Token {
  readonly type: "name" | "number" | "string" | "sign";
  readonly text: string;
}

const SPACE = /(?:\s|#[^\n]*)*/y;
const TOKENS = [
  ["string", /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`/y],
  ["number", /(?:\d|\.\d)(?:[\w.]|(?<=\de)[+-])*/y],
  ["name", /[a-z_:][\w:]*/iy],
  ["sign", /==|!=|>=|<=|=~|!~|[-+*/%^><=(){}[\],@]/y],
] as const;
/** Between brackets a colon parts range and resolution. */
const SIGN_IN_BRACKETS = /[:[\]]/y;

/** A PromQL query, cut into its words. */
export function tokenize(query: string): Result<readonly Token[]> {
  const tokens: Token[] = [];
  let depth = 0;
  for (let at = skipSpace(query, 0); at < query.length; ) {
    const token = depth > 0 ? (read(SIGN_IN_BRACKETS, "sign", query, at) ?? next(query, at)) : next(query, at);
    if (!token) return { ok: false, problem: `unexpected ${JSON.stringify(query[at])} at position ${at + 1}` };
    if (token.text === "[") depth++;
    if (token.text === "]") depth--;
    tokens.push(token);
    at = skipSpace(query, at + token.text.length);
  }
  return { ok: true, value: tokens };
}

function next(query: string, at: number): Token | undefined {
  for (const [type, pattern] of TOKENS) {
    const token = read(pattern, type, query, at);
    if (token) return token;
  }
  return undefined;
}

function read(pattern: RegExp, type: Token["type"], query: string, at: number): Token | undefined {
  pattern.lastIndex = at;
  const [text] = pattern.exec(query) ?? [];
  return text === undefined ? undefined : { type, text };
}

function skipSpace(query: string, at: number): number {
  SPACE.lastIndex = at;
  SPACE.exec(query);
  return SPACE.lastIndex;
}
