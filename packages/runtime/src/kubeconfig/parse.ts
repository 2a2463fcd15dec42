import { LineCounter, parseDocument } from "yaml";
import type { ClusterEntry, ContextEntry, ExecEntry, KubeconfigDocument, Sourced, UserEntry } from "./document.ts";
import { KubeconfigError } from "./errors.ts";

type Fields = Readonly<Record<string, unknown>>;
type FieldType = "text" | "flag" | "list of texts" | "list of name and value" | "mapping";

const CLUSTER_FIELDS: Readonly<Record<keyof ClusterEntry, FieldType>> = {
  server: "text",
  "certificate-authority": "text",
  "certificate-authority-data": "text",
  "insecure-skip-tls-verify": "flag",
  "tls-server-name": "text",
  "proxy-url": "text",
  "disable-compression": "flag",
};

const USER_FIELDS: Readonly<Record<keyof UserEntry, FieldType>> = {
  token: "text",
  tokenFile: "text",
  "client-certificate": "text",
  "client-certificate-data": "text",
  "client-key": "text",
  "client-key-data": "text",
  username: "text",
  password: "text",
  exec: "mapping",
  "auth-provider": "mapping",
  as: "text",
  "as-uid": "text",
  "as-groups": "list of texts",
  "as-user-extra": "mapping",
};

const EXEC_FIELDS: Readonly<Record<keyof ExecEntry, FieldType>> = {
  apiVersion: "text",
  command: "text",
  args: "list of texts",
  env: "list of name and value",
  installHint: "text",
  provideClusterInfo: "flag",
  interactiveMode: "text",
};

const CONTEXT_FIELDS: Readonly<Record<keyof ContextEntry, FieldType>> = {
  cluster: "text",
  user: "text",
  namespace: "text",
};

/** `source` names the file (or the Secret) in every message. */
export function parseKubeconfigText(text: string, source: string): KubeconfigDocument {
  const root = parseYaml(text, source);
  const context = root["current-context"];
  return {
    source,
    currentContext: typeof context === "string" && context !== "" ? context : undefined,
    clusters: entries<ClusterEntry>(root, source, { list: "clusters", inner: "cluster", fields: CLUSTER_FIELDS }),
    users: entries<UserEntry>(root, source, { list: "users", inner: "user", fields: USER_FIELDS }),
    contexts: entries<ContextEntry>(root, source, { list: "contexts", inner: "context", fields: CONTEXT_FIELDS }),
  };
}

/** The parser's own message may quote the line, and the line may hold a token: only its place is told. */
function parseYaml(text: string, source: string): Fields {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [problem] = document.errors;
  if (problem !== undefined) {
    const { line, col } = lines.linePos(problem.pos[0]);
    throw new KubeconfigError(
      "BadYaml",
      `kubeconfig ${source} is not valid YAML: ${problem.code} at line ${line}, column ${col}; correct that line`,
    );
  }
  const root = document.toJS({ maxAliasCount: 100 }) as unknown;
  if (isRecord(root)) return root;
  throw new KubeconfigError("BadYaml", `kubeconfig ${source} holds no mapping; it should start with "apiVersion: v1"`);
}

interface Section {
  readonly list: string;
  readonly inner: string;
  readonly fields: Readonly<Record<string, FieldType>>;
}

function entries<T>(root: Fields, source: string, { list, inner, fields }: Section): ReadonlyMap<string, Sourced<T>> {
  const found = new Map<string, Sourced<T>>();
  const items = root[list] ?? [];
  if (!Array.isArray(items)) throw new KubeconfigError("BadYaml", `kubeconfig ${source}: ${list} should be a list`);
  for (const item of items as unknown[]) {
    if (!isRecord(item) || typeof item["name"] !== "string") {
      throw new KubeconfigError("BadYaml", `kubeconfig ${source}: an entry of ${list} has no name; give it one`);
    }
    const name = item["name"];
    const value = item[inner] ?? {};
    if (!isRecord(value)) {
      throw new KubeconfigError("BadYaml", `kubeconfig ${source}: ${inner} of ${name} should be a mapping`);
    }
    if (!found.has(name))
      found.set(name, { value: checked(value, fields, `${source}: ${inner} ${name}`) as T, source });
  }
  return found;
}

function checked(value: Fields, fields: Readonly<Record<string, FieldType>>, where: string): Fields {
  const known: Record<string, unknown> = {};
  for (const [field, type] of Object.entries(fields)) {
    const given = value[field];
    if (given === undefined || given === null || given === "") continue;
    if (!IS_OF_TYPE[type](given))
      throw new KubeconfigError("BadYaml", `kubeconfig ${where}: ${field} should be a ${type}`);
    known[field] = field === "exec" ? checked(given as Fields, EXEC_FIELDS, `${where}: exec`) : given;
  }
  return known;
}

const IS_OF_TYPE: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string",
  flag: (value) => typeof value === "boolean",
  "list of texts": (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
  "list of name and value": (value) => Array.isArray(value) && value.every((item) => isRecord(item)),
  mapping: (value) => isRecord(value),
};

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
