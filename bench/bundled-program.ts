import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const BUILD = fileURLToPath(new URL("../tools/build.ts", import.meta.url));

/** Operator and CLI as they are installed. */
export async function bundledProgram(): Promise<string> {
  const folder = join(tmpdir(), `chaski-bench-bundle-${process.pid}`);
  await promisify(execFile)(process.execPath, [BUILD, "--out", folder]);
  return join(folder, "chaski.mjs");
}
