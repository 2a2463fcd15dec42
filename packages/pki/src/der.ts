// As much of DER as an X.509 certificate needs. Node makes keys and signatures but no certificates.

const oneByteLengthMax = 0x7f;

export function sequence(...items: Buffer[]): Buffer {
  return element(0x30, ...items);
}

export function set(...items: Buffer[]): Buffer {
  return element(0x31, ...items);
}

export function unsignedInteger(bytes: Buffer): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0);
  const digits = start < 0 ? Buffer.of(0) : bytes.subarray(start);
  const isHigh = (digits[0] ?? 0) > oneByteLengthMax;
  return element(0x02, isHigh ? Buffer.concat([Buffer.of(0), digits]) : digits);
}

export function boolean(value: boolean): Buffer {
  return element(0x01, Buffer.of(value ? 0xff : 0));
}

export function octetString(bytes: Buffer): Buffer {
  return element(0x04, bytes);
}

export function bitString(bytes: Buffer, unusedBits = 0): Buffer {
  return element(0x03, Buffer.of(unusedBits), bytes);
}

export function utf8String(text: string): Buffer {
  return element(0x0c, Buffer.from(text, "utf8"));
}

/** `2.5.4.3` and the like. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** Two-digit years until 2049, as RFC 5280 wants it. */
export function time(epochMs: number): Buffer {
  const digits = new Date(epochMs).toISOString().replaceAll(/[-:T]|\.\d+/g, "");
  const isTwoDigit = digits < "2050";
  return element(isTwoDigit ? 0x17 : 0x18, Buffer.from(isTwoDigit ? digits.slice(2) : digits, "ascii"));
}

/** [number] around the content, which keeps its own tag. */
export function explicit(number: number, content: Buffer): Buffer {
  return element(0xa0 | number, content);
}

/** [number] in place of the content's own tag. */
export function implicit(number: number, content: Buffer): Buffer {
  return element(0x80 | number, content);
}

/** The elements inside the first element of these bytes, each with its tag and length. */
export function elementsOf(der: Buffer): Buffer[] {
  const { start, end } = extentOf(der, 0);
  const found: Buffer[] = [];
  for (let at = start; at < end; ) {
    const { end: next } = extentOf(der, at);
    found.push(der.subarray(at, next));
    at = next;
  }
  return found;
}

/** What is inside the first element of these bytes. */
export function contentOf(der: Buffer): Buffer {
  const { start, end } = extentOf(der, 0);
  return der.subarray(start, end);
}

function element(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.of(tag), lengthOf(content.length), content]);
}

function lengthOf(length: number): Buffer {
  if (length <= oneByteLengthMax) return Buffer.of(length);
  const hex = length.toString(16);
  const digits = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex");
  return Buffer.concat([Buffer.of(0x80 | digits.length), digits]);
}

function extentOf(der: Buffer, at: number): { start: number; end: number } {
  const first = der.readUInt8(at + 1);
  if (first <= oneByteLengthMax) return { start: at + 2, end: at + 2 + first };
  const lengthSize = first & 0x7f;
  const start = at + 2 + lengthSize;
  return { start, end: start + der.readUIntBE(at + 2, lengthSize) };
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}
