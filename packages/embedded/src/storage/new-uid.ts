import type { Random } from "@chaski/clock";

/** A random UUID (version 4). */
export function newUid(random: Random): string {
  const word = (): string =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, "0");
  const [a, b, c, d] = [word(), word(), word(), word()];
  const variant = "89ab"[Math.floor(random() * 4)];
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-${variant}${c.slice(1, 4)}-${c.slice(4)}${d}`;
}
