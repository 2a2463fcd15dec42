import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { goEnvironment } from "@chaski/test/kube";

const run = promisify(execFile);

/** Builds the Go program beside this file into a folder; its path. */
export async function buildAnchor(folder: string): Promise<string> {
  const output = join(folder, "anchor");
  const source = fileURLToPath(new URL("go/", import.meta.url));
  await run("go", ["build", "-o", output, "."], { cwd: source, env: await goEnvironment() });
  return output;
}
