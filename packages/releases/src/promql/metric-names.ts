// Which metrics a PromQL query asks for. Reads the whole query, so that one that Prometheus refuses is refused here.
import type { Result } from "@chaski/kube";
import { type Token, tokenize } from "./tokens.ts";

/** In order of appearance; with an error where the query can't be read. */
export function metricNames(query: string): Result<readonly string[]> {
  const tokens = tokenize(query);
  if (!tokens.ok) return tokens;
  const reader = new QueryReader(tokens.value);
  try {
    return { ok: true, value: reader.read() };
  } catch (error) {
    if (error instanceof QueryError) return { ok: false, problem: error.message };
    throw error;
  }
}

class QueryError extends Error {}

const OPERATORS = new Set("+ - * / % ^ == != > < >= <= and or unless atan2".split(" "));
const AGGREGATIONS = new Set(
  "sum avg min max count group stddev stdvar topk bottomk quantile count_values limitk limit_ratio".split(" "),
);
const MATCHES = new Set(["=", "!=", "=~", "!~"]);
/** Deeper than any query that people write; keeps a hostile one from exhausting the stack. */
const DEPTH_MAX = 200;

class QueryReader {
  readonly #tokens: readonly Token[];
  readonly #names: string[] = [];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  read(): readonly string[] {
    this.#expression();
    if (this.#peek()) throw this.#unexpected();
    return this.#names;
  }

  #expression(): void {
    if (++this.#depth > DEPTH_MAX) throw new QueryError("nested too deeply");
    this.#operand();
    while (OPERATORS.has(this.#peek()?.text.toLowerCase() ?? "")) {
      this.#next();
      this.#modifiers();
      this.#operand();
    }
    this.#depth--;
  }

  #modifiers(): void {
    this.#takeWord("bool");
    if (!this.#takeWord("on", "ignoring")) return;
    this.#list("name");
    if (this.#takeWord("group_left", "group_right") && this.#isNext("(")) this.#list("name");
  }

  #operand(): void {
    while (this.#take("+") || this.#take("-"));
    this.#primary();
    while (this.#suffix());
  }

  #primary(): void {
    const token = this.#peek();
    if (this.#take("(")) {
      this.#expression();
      this.#expect(")");
    } else if (token?.text === "{") this.#matchers();
    else if (token?.type === "name") this.#named(this.#next());
    else if (token?.type === "number" || token?.type === "string") this.#next();
    else throw this.#unexpected();
  }

  #named({ text }: Token): void {
    const word = text.toLowerCase();
    if (AGGREGATIONS.has(word) && (this.#isNext("(") || this.#isWord("by", "without"))) this.#aggregation();
    else if (this.#isNext("(")) this.#arguments();
    else if (word !== "inf" && word !== "nan") {
      this.#names.push(text);
      if (this.#isNext("{")) this.#matchers();
    }
  }

  #aggregation(): void {
    const isGrouped = this.#grouping();
    this.#arguments();
    if (!isGrouped) this.#grouping();
  }

  #grouping(): boolean {
    const isGrouped = this.#takeWord("by", "without");
    if (isGrouped) this.#list("name");
    return isGrouped;
  }

  #arguments(): void {
    this.#expect("(");
    while (!this.#take(")")) {
      this.#expression();
      if (!this.#take(",") && !this.#isNext(")")) throw this.#unexpected();
    }
  }

  /** Labels between parentheses. */
  #list(type: Token["type"]): void {
    this.#expect("(");
    while (!this.#take(")")) {
      if (this.#next().type !== type) throw this.#unexpected();
      if (!this.#take(",") && !this.#isNext(")")) throw this.#unexpected();
    }
  }

  #matchers(): void {
    this.#expect("{");
    while (!this.#take("}")) {
      this.#matcher();
      if (!this.#take(",") && !this.#isNext("}")) throw this.#unexpected();
    }
  }

  /** `label="value"`, or a quoted name alone, which is the metric's. */
  #matcher(): void {
    const label = this.#next();
    if (label.type === "string" && !MATCHES.has(this.#peek()?.text ?? "")) this.#names.push(unquote(label));
    else if (label.type === "name" || label.type === "string") this.#comparison(label);
    else throw this.#unexpected();
  }

  #comparison(label: Token): void {
    const match = this.#next();
    const value = this.#next();
    if (!MATCHES.has(match.text) || value.type !== "string") throw this.#unexpected();
    if (label.text === "__name__" && match.text === "=") this.#names.push(unquote(value));
  }

  /** A range, a subquery, an offset or a time. */
  #suffix(): boolean {
    if (this.#take("[")) {
      this.#number();
      if (this.#take(":") && !this.#isNext("]")) this.#number();
      this.#expect("]");
      return true;
    }
    if (this.#takeWord("offset")) {
      if (!this.#take("-")) this.#take("+");
      this.#number();
      return true;
    }
    if (!this.#take("@")) return false;
    if (this.#takeWord("start", "end")) this.#arguments();
    else this.#number();
    return true;
  }

  #number(): void {
    if (this.#next().type !== "number") throw this.#unexpected();
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #next(): Token {
    const token = this.#peek();
    if (!token) throw new QueryError("unexpected end of the query");
    this.#at++;
    return token;
  }

  #isNext(sign: string): boolean {
    const token = this.#peek();
    return token?.type === "sign" && token.text === sign;
  }

  #take(sign: string): boolean {
    const isNext = this.#isNext(sign);
    if (isNext) this.#at++;
    return isNext;
  }

  #expect(sign: string): void {
    if (!this.#take(sign)) throw this.#unexpected();
  }

  #isWord(...words: readonly string[]): boolean {
    const token = this.#peek();
    return token?.type === "name" && words.includes(token.text.toLowerCase());
  }

  #takeWord(...words: readonly string[]): boolean {
    const isNext = this.#isWord(...words);
    if (isNext) this.#at++;
    return isNext;
  }

  #unexpected(): QueryError {
    const token = this.#peek();
    return new QueryError(token ? `unexpected ${token.text}` : "unexpected end of the query");
  }
}

function unquote({ text }: Token): string {
  return text.slice(1, -1);
}
