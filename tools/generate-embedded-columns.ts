// The columns of `kubectl get`, which only a running API server tells.
import type { ServedResource } from "./generate-embedded-discovery.ts";

interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly priority: number;
}

export async function fetchColumns(
  env: NodeJS.ProcessEnv,
  resources: Readonly<Record<string, ServedResource>>,
): Promise<Record<string, Column[]> | undefined> {
  const url = env["KUBE_URL"];
  if (!url) return undefined;
  const columns: Record<string, Column[]> = {};
  for (const [key, { group, version, plural, subresource, verbs }] of Object.entries(resources)) {
    if (subresource !== undefined || !verbs.includes("list")) continue;
    const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    const response = await fetch(`${url}${root}/${plural}?limit=1`, {
      headers: {
        accept: "application/json;as=Table;g=meta.k8s.io;v=v1",
        authorization: `Bearer ${env["KUBE_TOKEN"] ?? ""}`,
      },
    });
    const { columnDefinitions } = (await response.json()) as { columnDefinitions: Column[] };
    columns[key] = columnDefinitions.map(({ name, type, format, priority }) => ({ name, type, format, priority }));
  }
  return columns;
}
