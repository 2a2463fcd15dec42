// A cluster over HTTPS, and the command line against it, judged by what it prints and its exit code.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canaryResource, crdOf, ReleaseManager, releaseKeys, releaseResources, Revision } from "@chaski/api";
import { RealClock, systemRandom } from "@chaski/clock";
import { createEmbeddedCluster, type EmbeddedCluster, type Listening } from "@chaski/embedded";
import { CustomResourceDefinition } from "@chaski/kube";
import { type Client, createClient } from "@chaski/runtime";
import { vi } from "vitest";
import { aRevision } from "../../releases/test/worlds.ts";
import { run } from "../src/index.ts";

export interface CliStage extends AsyncDisposable {
  readonly cluster: EmbeddedCluster;
  readonly client: Client;
  readonly listening: Listening;
  readonly folder: string;
  /** Exit code and output, of a command on this cluster. */
  chaski(...args: readonly string[]): Promise<readonly [number, string]>;
  /** The ReleaseManager with its status, and the Revisions of its tags. */
  write(release: ReleaseManager): Promise<void>;
}

export async function cliStage(options: { readonly rbac?: boolean } = {}): Promise<CliStage> {
  const folder = await mkdtemp(join(tmpdir(), "chaski-cli-"));
  const cluster = await createEmbeddedCluster(options);
  const client = createClient({
    cluster: "test",
    transport: cluster.transport,
    clock: new RealClock(),
    random: systemRandom,
  });
  for (const resource of [canaryResource, ...releaseResources])
    await client.of(CustomResourceDefinition).create(crdOf(resource) as unknown as CustomResourceDefinition);
  const listening = await cluster.listen();
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, listening.kubeconfig);
  return {
    cluster,
    client,
    listening,
    folder,
    chaski: (...args) => runCommand([...args, "--kubeconfig", kubeconfig]),
    write: (release) => write(client, release),
    [Symbol.asyncDispose]: async () => {
      await cluster.close();
      await rm(folder, { recursive: true });
    },
  };
}

export async function runCommand(args: readonly string[]): Promise<readonly [number, string]> {
  const printed: string[] = [];
  const keep = (text: unknown): boolean => printed.push(String(text).trimEnd()) > 0;
  const spies = [
    vi.spyOn(console, "log").mockImplementation(keep),
    vi.spyOn(console, "error").mockImplementation(keep),
    vi.spyOn(process.stderr, "write").mockImplementation(keep),
  ];
  try {
    return [await run(args), printed.join("\n")];
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

async function write(client: Client, { metadata, spec, status, ...rest }: ReleaseManager): Promise<void> {
  const place = { name: metadata.name, namespace: "default" };
  const annotations = metadata.annotations ?? {};
  const labels = { [releaseKeys.labels.app]: spec.app, [releaseKeys.labels.target]: spec.target };
  const object = { ...rest, spec, metadata: { ...place, annotations, labels } };
  const created = await client.of(ReleaseManager).create(object);
  await client.of(ReleaseManager).updateStatus({ ...created, ...(status ? { status } : {}) });
  for (const { tag } of status?.revisions ?? []) {
    const revision = aRevision(tag);
    const name = `${spec.app}-${tag}`;
    const app = { ...revision.spec.app, name: spec.app };
    const { annotations: own = {} } = revision.metadata;
    await client
      .of(Revision)
      .apply(
        { ...revision, metadata: { name, namespace: "default", annotations: own }, spec: { ...revision.spec, app } },
        { fieldManager: "test", force: true },
      );
  }
}
