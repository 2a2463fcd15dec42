// The command lines of the project's own programs: help where it is asked for, a sentence where something is not understood.
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";

export interface CommandLineOptions<O extends ParseArgsOptionsConfig> {
  /** What `--help` prints. */
  readonly usage: string;
  readonly options: O;
}

/** What was given. A process that was asked for help, or can't make sense of it, ends here. */
export function commandLine<const O extends ParseArgsOptionsConfig>({ usage, options }: CommandLineOptions<O>) {
  const misunderstood = (because: string): never => end(2, `${because}\n${usage}`);
  if (process.argv.slice(2).some((given) => given === "--help" || given === "-h")) end(0, usage);
  return {
    ...parsed(options, misunderstood),
    misunderstood,
    numberOf: (option: keyof O & string, text: string): number => {
      const number = Number(text);
      return number >= 0 ? number : misunderstood(`--${option} is a number, and "${text}" is not`);
    },
  };
}

function parsed<const O extends ParseArgsOptionsConfig>(options: O, misunderstood: (because: string) => never) {
  try {
    return parseArgs<{ options: O; allowPositionals: true }>({ options, allowPositionals: true });
  } catch (error) {
    return misunderstood(error instanceof Error ? error.message : String(error));
  }
}

function end(code: 0 | 2, text: string): never {
  const print = code === 0 ? console.log : console.error;
  print(text);
  process.exit(code);
}
