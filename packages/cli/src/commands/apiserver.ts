// `apiserver`: the embedded Kubernetes API server over HTTPS, for kubectl and other clients on this machine.
import { writeFileSync } from "node:fs";
import { createEmbeddedCluster } from "@chaski/embedded";
import type { Command } from "commander";
import { portNumber } from "../usage/arguments.ts";

interface Options {
  readonly kubeconfig: string;
  readonly port?: number;
  readonly rbac: boolean;
}

export function addApiserver(program: Command): void {
  program
    .command("apiserver")
    .description("Serve a Kubernetes API from this process, in memory, on loopback, until a signal ends it.")
    .requiredOption("--kubeconfig <file>", "where to write an administrator's kubeconfig")
    .option("--port <port>", "port to serve on; a free one without it", portNumber)
    .option("--rbac", "let roles and bindings decide who may do what", false)
    .action(async ({ kubeconfig: file, port, rbac }: Options) => {
      const cluster = await createEmbeddedCluster({ rbac });
      const { url, kubeconfig } = await cluster.listen(port === undefined ? {} : { port });
      writeFileSync(file, kubeconfig, { mode: 0o600 });
      console.log(`serving ${url}; kubectl --kubeconfig ${file} talks to it`);
      await new Promise<void>((resolve) => process.once("SIGINT", resolve).once("SIGTERM", resolve));
      await cluster.close();
    });
}
