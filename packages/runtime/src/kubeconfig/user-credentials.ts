import type { Credentials, Identity } from "../client/credentials.ts";
import type { ClusterEntry, Sourced, UserEntry } from "./document.ts";
import { KubeconfigError } from "./errors.ts";
import { ExecPlugin } from "./exec-plugin.ts";
import { contentOf, type FieldContext, fileOf, pieceOf } from "./material.ts";
import { tokenFileCredentials } from "./token-file.ts";

export function credentialsOf(user: UserEntry, context: FieldContext): Credentials | undefined {
  refuseAuthProvider(user, context);
  if (user.tokenFile !== undefined)
    return tokenFileCredentials(fileOf(context, "tokenFile", user.tokenFile), context.owner);
  if (user.token !== undefined) return fixed(`Bearer ${user.token}`);
  if (user.username === undefined) return undefined;
  return fixed(`Basic ${Buffer.from(`${user.username}:${user.password ?? ""}`).toString("base64")}`);
}

export function execPluginOf(
  user: UserEntry,
  cluster: FieldContext & Sourced<ClusterEntry>,
  context: FieldContext,
): ExecPlugin | undefined {
  if (user.exec === undefined) return undefined;
  const { owner, source, machine } = context;
  if (machine === undefined) {
    throw new KubeconfigError(
      "FileAccessRefused",
      `${owner}: exec names a program, and a kubeconfig in a Secret may not run one; give a token instead`,
    );
  }
  return new ExecPlugin(machine, { entry: user.exec, owner, source, cluster: () => clusterInfo(cluster) });
}

/** With the authority itself: a path means nothing to a program that may run elsewhere than the file lies. */
async function clusterInfo(cluster: FieldContext & Sourced<ClusterEntry>): Promise<Readonly<Record<string, unknown>>> {
  const { "certificate-authority": _path, ...info } = cluster.value;
  const authority = await contentOf(pieceOf(cluster, cluster.value, "certificate-authority"), cluster.owner);
  return { ...info, ...(authority && { "certificate-authority-data": authority.toString("base64") }) };
}

export function impersonationOf(user: UserEntry): Identity | undefined {
  if (user.as === undefined) return undefined;
  const { "as-uid": uid, "as-groups": groups, "as-user-extra": extra } = user;
  return {
    user: user.as,
    ...(uid !== undefined && { uid }),
    ...(groups && { groups }),
    ...(extra && { extra }),
  };
}

function fixed(authorization: string): Credentials {
  return { authorization: () => Promise.resolve(authorization), refuse: () => false };
}

function refuseAuthProvider({ "auth-provider": provider }: UserEntry, { owner }: FieldContext): void {
  if (provider === undefined) return;
  const name = provider.name ?? "without a name";
  throw new KubeconfigError(
    "Unsupported",
    `${owner}: the auth-provider ${name} was removed from Kubernetes; use an exec plugin or a token instead`,
  );
}
