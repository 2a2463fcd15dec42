import type { Requests } from "./requests.ts";

/** One thing that an API server does. Whatever it is asked and answers while the case runs has to agree. */
export interface ConformanceCase {
  readonly name: string;
  readonly run: (scene: Scene) => Promise<unknown>;
}

export interface Scene {
  readonly api: Requests;
  /** A fresh namespace; of the same name on both servers. */
  readonly namespace: string;
  /** The path of a built-in resource in the namespace: `path("apps/v1", "deployments", "web")`. */
  readonly path: (apiVersion: string, plural: string, ...rest: string[]) => string;
  /** A name that no other case uses, for what has no namespace. */
  readonly unique: (name: string) => string;
}

export function pathIn(namespace: string | undefined, apiVersion: string, plural: string, ...rest: string[]): string {
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const within = namespace === undefined ? "" : `/namespaces/${namespace}`;
  return [`${root}${within}/${plural}`, ...rest].join("/");
}
