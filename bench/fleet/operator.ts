// The operator as it is installed: the bundle, started as the image starts it, in a process of its own.
import { ENVIRONMENT } from "@chaski/runtime";
import { freePort } from "@chaski/test/kube";
import { bundledProgram } from "../bundled-program.ts";
import { start } from "../canaries/start.ts";
import type { MeasuredProcess } from "../runtime/measured-process.ts";
import type { FleetGround } from "./ground.ts";

let program: Promise<string> | undefined;

/** Nothing waits for proxies here; how long a drain takes changes nothing of the work. */
export async function startOperator({ kubeconfigPath }: FleetGround, drain = "2s"): Promise<MeasuredProcess> {
  program ??= bundledProgram();
  const healthPort = await freePort();
  return start({
    command: process.execPath,
    args: [
      await program,
      "operator",
      `--kubeconfig=${kubeconfigPath}`,
      "--wings=releases",
      "--namespace=default",
      `--drain=${drain}`,
      `--health-port=${healthPort}`,
      "--metrics-addr=0",
    ],
    env: { ...process.env, ...ENVIRONMENT },
  });
}
