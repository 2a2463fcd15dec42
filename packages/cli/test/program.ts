import type { Command } from "commander";
import { addCommands, createProgram } from "../src/run.ts";

/** The program with every command loaded, none of them run. */
export async function wholeProgram(): Promise<Command> {
  const program = createProgram();
  await addCommands(
    program,
    () => true,
    () => {},
  );
  return program;
}
