import type { Environment } from "@marcbachmann/cel-js";
import { goQuote } from "../../schema/go-format.ts";
import { formatText } from "./format-text.ts";
import { Namespace } from "./namespace.ts";

class Strings extends Namespace {}

export function registerStrings(environment: Environment): void {
  environment
    .registerFunction("string.charAt(int): string", charAt)
    .registerFunction("string.replace(string, string): string", (text: string, from: string, to: string) =>
      text.replaceAll(from, () => to),
    )
    .registerFunction("string.replace(string, string, int): string", replaceSome)
    .registerFunction("string.format(list): string", formatText)
    .registerType("StringsLibrary", Strings)
    .registerConstant("strings", "StringsLibrary", new Strings())
    .registerFunction("StringsLibrary.quote(string): string", (_: Strings, text: string) => goQuote(text));
}

function charAt(text: string, index: bigint): string {
  const characters = Array.from(text);
  if (index < 0n || index > BigInt(characters.length)) throw new Error(`index out of range: ${index}`);
  return characters[Number(index)] ?? "";
}

function replaceSome(text: string, from: string, to: string, limit: bigint): string {
  if (limit < 0n) return text.replaceAll(from, () => to);
  const parts = text.split(from);
  const count = Math.min(Number(limit), parts.length - 1);
  return [parts.slice(0, count + 1).join(to), ...parts.slice(count + 1)].join(from);
}
