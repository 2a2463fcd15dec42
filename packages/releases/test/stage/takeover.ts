// A fleet that another operator wrote.
import { ConfigMap, type KubeObject } from "@chaski/kube";
import { type Client, ownerOf } from "@chaski/runtime";
import { expect } from "vitest";
import type { FleetStage } from "./fleet-stage.ts";
import { everythingOf, type Placed } from "./placed.ts";
import type { Scene } from "./scene.ts";

/** A Go program's name for itself is its file's; the API server takes what stands before the slash for its manager. */
const PICCHU = ["manager", "picchu", "main"].map((file) => `${file}/v0.0.0 (linux/amd64) kubernetes/$Format`);

/** As Picchu leaves it: plain updates without a manager's name, and nothing of ours. */
export async function takeOver(scene: Scene): Promise<void> {
  const { stage } = scene;
  await stage.joinAll();
  await stage.released("v1");
  const pods = await stage.pods();
  await scene.stopOperators();
  await rewriteAs(stage, PICCHU);
  expect((await foreignFields(stage)).map((line) => line.split(" ").at(-1))).toEqual(
    expect.arrayContaining(["manager", "picchu", "main"]),
  );
  await scene.startOperator();
  await stage.until("everything is ours", async () => (await withoutOwner(stage)).length === 0);
  expect(await stage.pods()).toEqual(pods);
  expect(await foreignFields(stage)).toEqual([]);
  await stage.released("v2");
  expect(await stage.weights()).toBe("v2 100");
}

/**
 * As if other programs had made all of it, one per cluster, by plain updates and without our marks. They name no field
 * manager: the server says what it takes them for.
 */
export async function rewriteAs(stage: FleetStage, agents: readonly string[]): Promise<void> {
  const managers = new Map<string, string>();
  for (const [index, { name, clientOf }] of stage.targets.entries())
    managers.set(name, await managerOf(stage.place, clientOf(agents[index % agents.length] ?? "")));
  for (const { kind, client, cluster, object } of await everythingOf(stage)) {
    const { labels = {}, annotations = {}, managedFields = [], ...metadata } = object.metadata;
    const theirs = managedFields
      .filter(({ manager = "" }) => manager.startsWith("chaski"))
      .map((entry) => ({ ...entry, manager: `${managers.get(cluster)}`, operation: "Update" as const }));
    const rest = managedFields.filter(({ manager = "" }) => !manager.startsWith("chaski"));
    const own = { labels: withoutOurs(labels), annotations: withoutOurs(annotations) };
    const rewritten = { ...object, metadata: { ...metadata, ...own, managedFields: [...rest, ...theirs] } };
    await client.of<KubeObject>(kind).update(rewritten, { fieldManager: `${managers.get(cluster)}` });
  }
}

async function managerOf(place: string, client: Client): Promise<string> {
  const metadata = { name: "probe", namespace: place };
  const probe = await client.of(ConfigMap).create({ apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "b" } });
  await client.of(ConfigMap).delete(metadata);
  await client.close();
  return probe.metadata.managedFields?.[0]?.manager ?? "nobody";
}

/** Objects that nobody has claimed. */
async function withoutOwner(stage: FleetStage): Promise<readonly string[]> {
  const all = await everythingOf(stage);
  return all.filter(({ object }) => ownerOf(object) === undefined).map(nameOf);
}

/** Objects with fields of a program that is neither we nor Kubernetes: `west Service echo by main`. */
async function foreignFields(stage: FleetStage): Promise<readonly string[]> {
  return (await everythingOf(stage)).flatMap((placed) => {
    const entries = placed.object.metadata.managedFields ?? [];
    const managers = entries.filter(({ subresource }) => !subresource).map(({ manager = "" }) => manager);
    const foreign = new Set(managers.filter((manager) => !/^(?:chaski|kube-|kwok)/.test(manager)));
    return [...foreign].map((manager) => `${nameOf(placed)} by ${manager}`);
  });
}

function nameOf({ kind, cluster, object }: Placed): string {
  return `${cluster} ${kind.kind} ${object.metadata.name}`;
}

function withoutOurs(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith("chaski.dev/")));
}
