import { delimiter, join } from "node:path";
import type { Connection } from "./connection.ts";
import { type KubeconfigDocument, mergeDocuments } from "./document.ts";
import { KubeconfigError } from "./errors.ts";
import { inClusterConnection, isInCluster } from "./in-cluster.ts";
import type { Machine } from "./machine.ts";
import { parseKubeconfigText } from "./parse.ts";
import { resolveContext } from "./resolve.ts";
import { codeOf } from "./token-file.ts";

/** A kubeconfig that was read once and never changes. */
export interface Kubeconfig {
  readonly source: string;
  readonly contexts: readonly string[];
  readonly currentContext: string | undefined;
  /** Of the current context unless one is named. */
  connection(context?: string): Promise<Connection>;
}

/** The file that is named, else those of KUBECONFIG, else `~/.kube/config`. */
export async function loadKubeconfig(machine: Machine, path?: string): Promise<Kubeconfig> {
  if (path !== undefined) return kubeconfigOf(parse(await readNamed(machine, path), path), machine);
  const listed = (machine.env["KUBECONFIG"] ?? "").split(delimiter).filter((each) => each !== "");
  const paths = listed.length > 0 ? listed : [join(machine.home, ".kube", "config")];
  const documents = (await Promise.all(paths.map((each) => readIfPresent(machine, each)))).flat();
  if (documents.length > 0) return kubeconfigOf(mergeDocuments(documents), machine);
  throw new KubeconfigError(
    "NoConfiguration",
    `there is no kubeconfig at ${paths.join(", ")}; name one by --kubeconfig or the variable KUBECONFIG`,
  );
}

/** A kubeconfig that arrived as data, in a Secret: it may name no file and run no program of ours. */
export function kubeconfigFromData(data: Uint8Array, source: string): Kubeconfig {
  return kubeconfigOf(parse(Buffer.from(data), source), undefined);
}

/** Where a connection is looked for. */
export interface ConnectionSource {
  readonly path?: string;
  readonly context?: string;
  /** Inside a cluster that one counts, whatever KUBECONFIG says: for what runs as a pod. */
  readonly isPodFirst?: boolean;
}

/** As kubectl and client-go find their cluster: a file that is named, KUBECONFIG, the pod's own account, the home file. */
export async function defaultConnection(machine: Machine, options: ConnectionSource = {}): Promise<Connection> {
  const isInEnvironment = options.isPodFirst !== true && (machine.env["KUBECONFIG"] ?? "") !== "";
  const isNamed = options.path !== undefined || isInEnvironment;
  if (!isNamed && options.context === undefined && isInCluster(machine)) return inClusterConnection(machine);
  return (await loadKubeconfig(machine, options.path)).connection(options.context);
}

function kubeconfigOf(document: KubeconfigDocument, machine: Machine | undefined): Kubeconfig {
  const { source, contexts, currentContext } = document;
  return {
    source,
    contexts: [...contexts.keys()],
    currentContext,
    connection: async (context = currentContext) => {
      if (context !== undefined) return resolveContext(document, context, machine);
      throw new KubeconfigError("UnknownContext", `${source} has no current-context; name one of its contexts`);
    },
  };
}

function parse(content: Buffer, source: string): KubeconfigDocument {
  return parseKubeconfigText(content.toString("utf8"), source);
}

async function readNamed(machine: Machine, path: string): Promise<Buffer> {
  return machine.readFile(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
}

/** Files of KUBECONFIG may be missing, as with kubectl; one that is there has to be readable. */
async function readIfPresent(machine: Machine, path: string): Promise<readonly KubeconfigDocument[]> {
  try {
    return [parse(await machine.readFile(path), path)];
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error instanceof KubeconfigError ? error : unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): KubeconfigError {
  const code = codeOf(error);
  const wayOut = code === "ENOENT" ? "name a file that exists" : "check its permissions";
  return new KubeconfigError("Unreadable", `kubeconfig ${path} can't be read (${code}); ${wayOut}`);
}
