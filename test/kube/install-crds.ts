import type { ClusterAccess } from "./cluster-access.ts";
import { until } from "./until.ts";

interface Crd {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
}

/** Applies CRDs from YAML files and waits until each is served: one that is Established may still be setting up. */
export async function installCrdFiles(cluster: ClusterAccess, files: readonly string[]): Promise<void> {
  const flags = files.flatMap((file) => ["-f", file]);
  await cluster.kubectl(["apply", "--server-side", "--force-conflicts", ...flags]);
  await cluster.kubectl(["wait", "--for=condition=Established", "--timeout=60s", ...flags]);
  const found = JSON.parse(await cluster.kubectl(["get", "-o", "json", ...flags])) as Crd | { items: Crd[] };
  const crds = "items" in found ? found.items : [found];
  await Promise.all(crds.flatMap(servedPaths).map((path) => untilServed(cluster, path)));
}

function servedPaths({ spec: { group, names, versions } }: Crd): string[] {
  return versions.filter(({ served }) => served).map(({ name }) => `/apis/${group}/${name}/${names.plural}?limit=1`);
}

async function untilServed(cluster: ClusterAccess, path: string): Promise<void> {
  const isServed = (): Promise<true | undefined> =>
    cluster.call({ path }).then(
      () => true as const,
      () => undefined,
    );
  await until(isServed, { what: `${path} is served` });
}
