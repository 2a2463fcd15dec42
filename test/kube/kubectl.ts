import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { missingFrom } from "./assets.ts";

export interface KubectlOptions {
  readonly input?: string;
  readonly kubeconfigPath: string;
  /** kubectl's caches go there. */
  readonly home: string;
  readonly assets: string;
}

/** Runs the kubectl of our assets, never the machine's; its standard output, or an error with what it said. */
export async function runKubectl(args: readonly string[], options: KubectlOptions): Promise<string> {
  const [lacking] = missingFrom(options.assets, ["kubectl"]);
  if (lacking) throw new Error(`${options.assets} lacks ${lacking}`);
  mkdirSync(options.home, { recursive: true });
  const child = spawn(join(options.assets, "kubectl"), args, {
    env: { PATH: process.env["PATH"], HOME: options.home, KUBECONFIG: options.kubeconfigPath },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.on("error", () => {});
  child.stdin.end(options.input);
  const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  if (code !== 0) throw new Error(`kubectl ${args.join(" ")} ended with ${code}: ${stderr.trim()}`);
  return stdout;
}
