// JSON that depends on the value alone, not on the order in which its fields were set.

/** JSON with sorted keys and without undefined fields. */
export function stableJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => stableJson(item)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const fields = value as Readonly<Record<string, unknown>>;
  let text = "";
  for (const name of sorted(Object.keys(fields))) {
    if (fields[name] === undefined) continue;
    text += `${text === "" ? "" : ","}${JSON.stringify(name)}:${stableJson(fields[name])}`;
  }
  return `{${text}}`;
}

/** Most are so already, and then there is nothing to copy. */
function sorted(names: readonly string[]): readonly string[] {
  return names.every((name, index) => index === 0 || (names[index - 1] ?? "") < name) ? names : names.toSorted();
}

/** 16 hexadecimal digits that stand for the value: to notice change, not to withstand forgery. */
export function contentHash(value: unknown): string {
  return hashText(stableJson(value));
}

/** 64-bit FNV-1a over the UTF-16 units, in 16-bit limbs: BigInt would be many times slower. */
function hashText(text: string): string {
  let h0 = 0x2325;
  let h1 = 0x8422;
  let h2 = 0x9ce4;
  let h3 = 0xcbf2;
  for (let index = 0; index < text.length; index++) {
    h0 ^= text.charCodeAt(index);
    // Times the prime 2^40 + 0x1b3.
    const p0 = h0 * 0x1b3;
    const p1 = h1 * 0x1b3 + (p0 >>> 16);
    const p2 = h2 * 0x1b3 + h0 * 0x100 + (p1 >>> 16);
    h3 = (h3 * 0x1b3 + h1 * 0x100 + (p2 >>> 16)) & 0xffff;
    h2 = p2 & 0xffff;
    h1 = p1 & 0xffff;
    h0 = p0 & 0xffff;
  }
  return [h3, h2, h1, h0].map((limb) => limb.toString(16).padStart(4, "0")).join("");
}
