// A kubeconfig as it is written, with the file that each entry comes from.

export interface ClusterEntry {
  readonly server?: string;
  readonly "certificate-authority"?: string;
  readonly "certificate-authority-data"?: string;
  readonly "insecure-skip-tls-verify"?: boolean;
  readonly "tls-server-name"?: string;
  readonly "proxy-url"?: string;
  readonly "disable-compression"?: boolean;
}

export interface ExecEntry {
  readonly apiVersion?: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly installHint?: string;
  readonly provideClusterInfo?: boolean;
  readonly interactiveMode?: "Never" | "IfAvailable" | "Always";
}

export interface UserEntry {
  readonly token?: string;
  readonly tokenFile?: string;
  readonly "client-certificate"?: string;
  readonly "client-certificate-data"?: string;
  readonly "client-key"?: string;
  readonly "client-key-data"?: string;
  readonly username?: string;
  readonly password?: string;
  readonly exec?: ExecEntry;
  readonly "auth-provider"?: { readonly name?: string };
  readonly as?: string;
  readonly "as-uid"?: string;
  readonly "as-groups"?: readonly string[];
  readonly "as-user-extra"?: Readonly<Record<string, readonly string[]>>;
}

export interface ContextEntry {
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
}

/** An entry and where it was written: a path, or the name of a Secret. */
export interface Sourced<T> {
  readonly value: T;
  readonly source: string;
}

export interface KubeconfigDocument {
  /** The files it was read from, in words. */
  readonly source: string;
  readonly currentContext: string | undefined;
  readonly clusters: ReadonlyMap<string, Sourced<ClusterEntry>>;
  readonly users: ReadonlyMap<string, Sourced<UserEntry>>;
  readonly contexts: ReadonlyMap<string, Sourced<ContextEntry>>;
}

/** Of two entries with one name, and of two current contexts, the first file's wins, as with kubectl. */
export function mergeDocuments(documents: readonly KubeconfigDocument[]): KubeconfigDocument {
  const lastFirst = documents.toReversed();
  return {
    source: documents.map(({ source }) => source).join(", "),
    currentContext: documents.find(({ currentContext }) => currentContext !== undefined)?.currentContext,
    clusters: new Map(lastFirst.flatMap(({ clusters }) => [...clusters])),
    users: new Map(lastFirst.flatMap(({ users }) => [...users])),
    contexts: new Map(lastFirst.flatMap(({ contexts }) => [...contexts])),
  };
}
