// `clusters join`: the context of a kubeconfig as a Cluster and a Secret.
import { readFile } from "node:fs/promises";
import { Cluster, joinedCluster } from "@chaski/api/kinds";
import { systemRandom } from "@chaski/clock";
import { Secret } from "@chaski/kube";
import { type Connection, connect, loadKubeconfig, thisMachine, type TlsMaterial } from "@chaski/runtime/connect";
import { parse } from "yaml";
import { FIELD_MANAGER, type Session } from "../cluster/cluster-options.ts";
import { confirm } from "../terminal/confirm.ts";
import { report } from "../terminal/print.ts";
import { CliError, EXIT } from "../usage/exit.ts";
import type { JoinOptions } from "./clusters.ts";

export async function join(session: Session, name: string, options: JoinOptions): Promise<void> {
  const { client, clock, namespace } = session;
  await refusePrograms(options);
  const connection = await (await loadKubeconfig(thisMachine(clock), options.fromKubeconfig)).connection(
    options.fromContext,
  );
  const version = await versionOf(connection, session);
  const [user, how] = await credentialsOf(connection);
  const { secret, cluster } = joinedCluster({
    name,
    namespace,
    fleet: options.fleet,
    server: connection.endpoint.server,
    authority: await authorityOf(connection),
    user,
    ...(options.standby && { spec: { hotStandby: true } }),
  });
  await confirm(
    `${connection.endpoint.server} answers as Kubernetes ${version}. To be written to namespace ${namespace}: Cluster ${name} in fleet ${options.fleet}, Secret ${name} with ${how}. Go on?`,
    options.yes,
  );
  const clusters = client.of(Cluster);
  // Tried first, so that no credentials are left where there can be no Cluster.
  await clusters.apply(cluster, { fieldManager: FIELD_MANAGER, force: true, dryRun: true });
  // The Secret first: a Cluster without one would be told to be unusable for a moment.
  await client.of(Secret).apply(secret, { fieldManager: FIELD_MANAGER, force: true });
  const written = await clusters.apply(cluster, { fieldManager: FIELD_MANAGER, force: true });
  const done = `${name} is part of fleet ${options.fleet}. \`chaski clusters status\` shows when the operator has reached it.`;
  report(options, written, done);
}

/** What a program on this machine hands out works on this machine only. */
async function refusePrograms({ fromKubeconfig, fromContext }: JoinOptions): Promise<void> {
  const text = await readFile(fromKubeconfig, "utf8").catch(() => "");
  const file = (parse(text, { logLevel: "silent" }) ?? {}) as Partial<Record<string, unknown>>;
  const named = (list: unknown, name: unknown): Readonly<Record<string, unknown>> | undefined =>
    Array.isArray(list) ? list.find((entry: { readonly name?: unknown }) => entry.name === name) : undefined;
  const context = named(file["contexts"], fromContext ?? file["current-context"])?.["context"] as
    | { user?: string }
    | undefined;
  const user = named(file["users"], context?.user)?.["user"] as
    | { exec?: unknown; "auth-provider"?: unknown }
    | undefined;
  if (user?.exec === undefined && user?.["auth-provider"] === undefined) return;
  throw new CliError(
    "this context logs in by a program, which the operator can't run: make a kubeconfig with a service account's token (`kubectl create token`, or a token Secret) and join with that",
    EXIT.usage,
  );
}

async function versionOf(connection: Connection, { clock }: Session): Promise<string> {
  const client = connect(connection, { clock, random: systemRandom });
  try {
    const answer: { readonly gitVersion?: string } = JSON.parse(await client.raw({ method: "GET", path: "/version" }));
    return answer.gitVersion ?? "?";
  } finally {
    await client.close();
  }
}

async function tlsOf({ endpoint: { tls } }: Connection): Promise<TlsMaterial> {
  return typeof tls === "function" ? tls() : tls;
}

/** The user as a kubeconfig has it, and in words without a secret. */
async function credentialsOf(connection: Connection): Promise<[Readonly<Record<string, string>>, string]> {
  const authorization = await connection.credentials?.authorization(new AbortController().signal);
  const token = /^Bearer (.+)$/.exec(authorization ?? "")?.[1];
  if (token) return [{ token }, "its token"];
  const { cert, key } = await tlsOf(connection);
  if (cert && key)
    return [
      { "client-certificate-data": base64(cert), "client-key-data": base64(key) },
      "its client certificate and key",
    ];
  throw new CliError(
    `${connection.origin} has neither a token nor a client certificate: choose another by --from-context`,
    EXIT.usage,
  );
}

function base64(piece: string | Buffer): string {
  return Buffer.from(piece).toString("base64");
}

async function authorityOf(connection: Connection): Promise<string | Buffer> {
  const { ca = "", isInsecure } = await tlsOf(connection);
  if (!isInsecure) return ca;
  throw new CliError(
    `${connection.origin} does not check the server's certificate: give it a certificate-authority`,
    EXIT.usage,
  );
}
