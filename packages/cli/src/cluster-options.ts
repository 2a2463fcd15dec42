// The options by which every command finds its cluster, as kubectl does.
import { RealClock, systemRandom } from "@chaski/clock";
import { defined } from "@chaski/kube";
import { type Client, connect, defaultConnection, thisMachine } from "@chaski/runtime";
import type { Command } from "commander";

export interface ClusterOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace: string;
  readonly output?: "json";
}

export function withClusterOptions(command: Command, namespace = "default"): Command {
  return command
    .option(
      "--kubeconfig <file>",
      "kubeconfig to use; otherwise KUBECONFIG, the home folder's, or the cluster we run in",
    )
    .option("--context <name>", "context of the kubeconfig")
    .option("-n, --namespace <name>", "namespace", namespace);
}

/** Runs with a client that is closed afterwards. */
export async function withClient<T>(
  { kubeconfig, context }: ClusterOptions,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const clock = new RealClock();
  const connection = await defaultConnection(thisMachine(clock), defined({ path: kubeconfig, context }));
  const client = connect(connection, { clock, random: systemRandom });
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}
