// A controller of boats, which own sails and name harbours, on caches and an applier in memory.
import { seededRandom, VirtualClock } from "@chaski/clock";
import { defineKind, type KubeObject } from "@chaski/kube";
import { expect } from "vitest";
import {
  type AnyController,
  type ControllerDependencies,
  ControllerLoop,
  type Decision,
  decision,
  declareCaches,
  defineController,
  fleetOf,
  type Gathering,
  LOCAL_CLUSTER,
  named,
  owned,
  OWNER_ANNOTATION,
  ownerAnnotation,
  silentLogger,
} from "@chaski/runtime";
import { MemoryApplier } from "./memory-applier.ts";
import { clusterOf, MemoryCaches } from "./memory-caches.ts";

export interface Boat extends KubeObject {
  readonly spec: { readonly sails: number; readonly harbour?: string };
}
export const Boat = defineKind<Boat>({
  group: "sea.dev",
  version: "v1",
  kind: "Boat",
  plural: "boats",
  isNamespaced: true,
});
export const Sail = defineKind({ group: "sea.dev", version: "v1", kind: "Sail", plural: "sails", isNamespaced: true });
export const Harbour = defineKind({
  group: "sea.dev",
  version: "v1",
  kind: "Harbour",
  plural: "harbours",
  isNamespaced: true,
});

export function boat(name: string, spec: Boat["spec"] = { sails: 1 }): Boat {
  return { apiVersion: "sea.dev/v1", kind: "Boat", metadata: { namespace: "sea", name }, spec };
}

export function sail(name: string, ownerKey: string, fields: object = {}): KubeObject {
  const bare = { apiVersion: "sea.dev/v1", kind: "Sail", metadata: { namespace: "sea", name }, ...fields };
  const owner = { delivery: "shore", controller: "sea.boat", key: ownerKey };
  const annotations = { [OWNER_ANNOTATION]: ownerAnnotation(owner, bare) };
  return { ...bare, metadata: { ...bare.metadata, annotations } };
}

export type BoatWorld = Pick<Gathering<Boat>, "object" | "nowMs"> & { readonly sails: readonly KubeObject[] };

export function boatController(decide: (world: BoatWorld) => Decision<unknown> = () => decision({})) {
  return defineController({
    name: "sea.boat",
    kind: Boat,
    wakeOn: [
      owned(Sail),
      named(Harbour, function harbourOf({ spec }: Readonly<Boat>) {
        return spec.harbour;
      }),
    ],
    owns: [{ kind: Sail, on: "delivery" }],
    gather: ({ object, nowMs, owned }): BoatWorld => ({ object, nowMs, sails: owned(LOCAL_CLUSTER) }),
    decide,
  });
}

const started: ControllerLoop[] = [];

export function stopAll(): Promise<unknown> {
  return Promise.all(started.splice(0).map((loop) => loop.stop(AbortSignal.abort())));
}

export function setUp(
  definition: AnyController = boatController(),
  dependencies: Partial<ControllerDependencies> = {},
) {
  const clock = new VirtualClock();
  const caches = new MemoryCaches();
  for (const { kind, options } of declareCaches([definition])) caches.add(kind, options.indices);
  const applier = new MemoryApplier();
  const loop = new ControllerLoop(definition, {
    clock,
    random: seededRandom(1),
    fleet: fleetOf(clusterOf(LOCAL_CLUSTER, caches)),
    applier,
    deliveryName: "shore",
    log: silentLogger,
    freezesWorlds: true,
    ...dependencies,
  });
  started.push(loop);
  const synced = Promise.withResolvers<void>();
  const start = (): void => {
    loop.start(synced.promise);
    if (caches.memory(Boat).hasSynced) synced.resolve();
  };
  return {
    clock,
    applier,
    loop,
    start,
    sync: synced.resolve,
    boats: caches.memory(Boat),
    sails: caches.memory(Sail),
    harbours: caches.memory(Harbour),
  };
}

/** A loop whose boat `sea/tern` has had its first pass. */
export async function sailing(...args: Parameters<typeof setUp>) {
  const world = setUp(...args);
  world.start();
  world.boats.put(boat("tern"), { isInitial: true });
  await world.clock.settle();
  expect(world.applier.keys).toEqual(["sea/tern"]);
  world.applier.passes.length = 0;
  return world;
}
