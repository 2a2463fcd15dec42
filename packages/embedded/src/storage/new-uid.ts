import type { Random } from "@chaski/clock";

const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** A random UUID (version 4). */
export function newUid(random: Random): string {
  const word = (): string => {
    const bits = Math.floor(random() * 2 ** 32);
    return `${BYTES[bits >>> 24]}${BYTES[(bits >>> 16) & 255]}${BYTES[(bits >>> 8) & 255]}${BYTES[bits & 255]}`;
  };
  const [a, b, c, d] = [word(), word(), word(), word()];
  const variant = "89ab"[Math.floor(random() * 4)];
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-${variant}${c.slice(1, 4)}-${c.slice(4)}${d}`;
}
