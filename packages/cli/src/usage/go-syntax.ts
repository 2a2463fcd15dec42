// Go writes flags with one dash or two; scripts and manifests of Go operators use both.
import { InvalidArgumentError } from "commander";

/** `-metrics-addr=:8080` as `--metrics-addr=:8080`. One letter after one dash stays what it is. */
export function withTwoDashes(args: readonly string[]): readonly string[] {
  return args.map((arg) => (/^-[a-z][a-z0-9]*-?[a-z0-9-]+(=|$)/.test(arg) ? `-${arg}` : arg));
}

const BOOLEANS: Readonly<Record<string, boolean>> = {
  ...Object.fromEntries(["1", "t", "T", "true", "TRUE", "True"].map((word) => [word, true])),
  ...Object.fromEntries(["0", "f", "F", "false", "FALSE", "False"].map((word) => [word, false])),
};

export function goBoolean(text: string): boolean {
  const value = BOOLEANS[text];
  if (value === undefined) throw new InvalidArgumentError("it must be true or false.");
  return value;
}
