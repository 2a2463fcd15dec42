const STRINGS_MOST = 10_000;

/** One copy of strings that many objects have in common. Forgets all of them when there are too many. */
export class InternedStrings {
  readonly #strings = new Map<string, string>();

  one(text: string): string {
    const known = this.#strings.get(text);
    if (known !== undefined) return known;
    if (this.#strings.size >= STRINGS_MOST) this.#strings.clear();
    this.#strings.set(text, text);
    return text;
  }

  all(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const interned: Record<string, string> = {};
    for (const [name, text] of Object.entries(texts)) interned[name] = this.one(text);
    return interned;
  }
}
