// The options by which every command finds its cluster, as kubectl does.
import { type Clock, RealClock, systemRandom } from "@chaski/clock";
import { defined } from "@chaski/kube";
import {
  type Client,
  type Connection,
  type ConnectOptions,
  connect,
  defaultConnection,
  thisMachine,
} from "@chaski/runtime/connect";
import { type Command, Option } from "commander";
import { CLUSTER_GROUP } from "../usage/help.ts";

export interface ClusterOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly output?: "json";
}

/** @param otherwise whose namespace it is that is meant without the option */
export function withClusterOptions(command: Command, otherwise = "the context's"): Command {
  const options = [
    new Option(
      "--kubeconfig <file>",
      "kubeconfig to use; otherwise KUBECONFIG, the home folder's, or the cluster we run in",
    ),
    new Option("--context <name>", "context of the kubeconfig"),
    new Option("-n, --namespace <name>", `namespace; otherwise ${otherwise}`),
  ];
  for (const option of options) command.addOption(option.helpGroup(CLUSTER_GROUP));
  return command;
}

export function withOutput(command: Command, what = "json prints the objects"): Command {
  return command.addOption(new Option("-o, --output <format>", what).choices(["json"]));
}

/** A cluster that is talked to, and where on it. */
export interface Session {
  readonly client: Client;
  readonly namespace: string;
  readonly clock: Clock;
  readonly connection: Connection;
}

/** Changes by a person, in the objects' field managers and in audit logs. */
export const FIELD_MANAGER = "chaski-cli";

/** Runs with a client that is closed afterwards. */
export async function withSession<T>(
  options: ClusterOptions,
  use: (session: Session) => Promise<T>,
  wrapping: Pick<ConnectOptions, "wrapTransport"> = {},
): Promise<T> {
  const { kubeconfig: path, context, namespace } = options;
  const clock = new RealClock();
  const connection = await defaultConnection(thisMachine(clock), defined({ path, context }));
  const client = connect(connection, { ...wrapping, clock, random: systemRandom, userAgent: FIELD_MANAGER });
  try {
    return await use({ client, clock, connection, namespace: namespace ?? connection.namespace ?? "default" });
  } finally {
    await client.close();
  }
}
