// The command lines of the project's own programs: help where it is asked for, a sentence where something is not understood.
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";

export interface Usage {
  /** What `--help` prints. */
  readonly usage: string;
}

/** What was given, or the end of the process with what it should have been. */
export function commandLine<const O extends ParseArgsOptionsConfig>({
  usage,
  options,
}: Usage & { readonly options: O }) {
  if (process.argv.slice(2).some((given) => given === "--help" || given === "-h")) end(0, usage);
  try {
    return parseArgs<{ options: O; allowPositionals: true }>({ options, allowPositionals: true });
  } catch (error) {
    return misunderstood({ usage }, error instanceof Error ? error.message : String(error));
  }
}

export function numberOf({ usage }: Usage, option: string, text: string): number {
  const number = Number(text);
  return number >= 0 ? number : misunderstood({ usage }, `--${option} is a number, and "${text}" is not`);
}

export function misunderstood({ usage }: Usage, because: string): never {
  return end(2, `${because}\n${usage}`);
}

function end(code: 0 | 2, text: string): never {
  const print = code === 0 ? console.log : console.error;
  print(text);
  process.exit(code);
}
