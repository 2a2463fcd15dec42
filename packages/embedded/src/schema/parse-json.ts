import { put } from "./json.ts";

export interface ParsedJson {
  readonly value: unknown;
  /** Paths as in `duplicate field "spec.replicas"`. */
  readonly duplicateFields: readonly string[];
}

// As deep as Go's decoder goes.
const depthMax = 10_000;

/** JSON with what JSON.parse drops: integers beyond 2^53 (as bigint) and fields given twice. Throws SyntaxError. */
export function parseJson(text: string): ParsedJson {
  return new Reader(text).read();
}

/** Integers beyond 2^53 kept, duplicates not looked for: as fast as JSON.parse for text without such integers. */
export function parseJsonLenient(text: string): unknown {
  return /\d{16}/.test(text) ? parseJson(text).value : JSON.parse(text);
}

/** The reverse of parseJson: bigints become numbers again. */
export function stringifyJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === "bigint" ? rawJson(`${inner}`) : inner));
}

// Not yet in TypeScript's library.
const { rawJSON: rawJson } = JSON as unknown as { rawJSON: (text: string) => unknown };

class Reader {
  readonly #text: string;
  readonly #duplicates: string[] = [];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): ParsedJson {
    const value = this.#value("");
    this.#space();
    if (this.#at < this.#text.length) this.#fail();
    return { value, duplicateFields: this.#duplicates };
  }

  #fail(): never {
    // JSON.parse has the words for it.
    JSON.parse(this.#text);
    throw new SyntaxError(`unexpected character at ${this.#at}`);
  }

  #space(): void {
    while (" \t\n\r".includes(this.#text[this.#at] ?? "x")) this.#at++;
  }

  #value(path: string): unknown {
    this.#space();
    switch (this.#text[this.#at]) {
      case "{":
        return this.#nested(() => this.#object(path));
      case "[":
        return this.#nested(() => this.#array(path));
      case '"':
        return this.#string();
      default:
        return this.#atom();
    }
  }

  #nested<T>(read: () => T): T {
    if (++this.#depth > depthMax) throw new SyntaxError("exceeded max depth");
    this.#at++;
    const value = read();
    this.#at++;
    this.#depth--;
    return value;
  }

  #object(path: string): unknown {
    const object = {};
    const seen = new Set<string>();
    this.#items("}", () => {
      this.#space();
      if (this.#text[this.#at] !== '"') this.#fail();
      const key = this.#string();
      const at = path === "" ? key : `${path}.${key}`;
      if (seen.has(key)) this.#duplicates.push(at);
      seen.add(key);
      this.#space();
      if (this.#text[this.#at++] !== ":") this.#fail();
      put(object, key, this.#value(at));
    });
    return object;
  }

  #array(path: string): unknown[] {
    const items: unknown[] = [];
    this.#items("]", () => items.push(this.#value(`${path}[${items.length}]`)));
    return items;
  }

  #items(end: string, readItem: () => void): void {
    this.#space();
    if (this.#text[this.#at] === end) return;
    for (;;) {
      readItem();
      this.#space();
      const next = this.#text[this.#at];
      if (next === end) return;
      if (next !== ",") this.#fail();
      this.#at++;
    }
  }

  #string(): string {
    const start = this.#at++;
    while (this.#text[this.#at] !== '"') {
      if (this.#at >= this.#text.length) this.#fail();
      this.#at += this.#text[this.#at] === "\\" ? 2 : 1;
    }
    this.#at++;
    return JSON.parse(this.#text.slice(start, this.#at)) as string;
  }

  #atom(): unknown {
    const start = this.#at;
    while (/[\w.+-]/.test(this.#text[this.#at] ?? "")) this.#at++;
    const atom = this.#text.slice(start, this.#at);
    if (atom === "") this.#fail();
    const value: unknown = JSON.parse(atom);
    return /^-?\d{16,}$/.test(atom) && !Number.isSafeInteger(value) ? toInt64(atom) : value;
  }
}

/** What does not fit in 64 bits is a float to the server. */
function toInt64(digits: string): number | bigint {
  const integer = BigInt(digits);
  return BigInt.asIntN(64, integer) === integer ? integer : Number(digits);
}
