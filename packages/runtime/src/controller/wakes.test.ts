import type { KubeObject } from "@chaski/kube";
import { afterEach, describe, expect, test } from "vitest";
import { Boat, boat, boatController, Harbour, Sail, sail, sailing, setUp, stopAll } from "../../test/doubles/boats.ts";
import { clusterOf, MemoryCaches } from "../../test/doubles/memory-caches.ts";
import { type ClusterView, LOCAL_CLUSTER } from "../clusters/cluster.ts";
import type { Fleet } from "../clusters/fleet.ts";
import { declareCaches } from "./declarations.ts";
import type { Urgency } from "./controller.ts";
import { named } from "./wake-rules.ts";

afterEach(stopAll);

describe("waking", () => {
  test("wake-ups of one owner within 50 ms are one pass", async () => {
    const { clock, applier, boats, sails } = await sailing();
    boats.put(boat("tern", { sails: 2 }));
    await clock.advance(20);
    sails.put(sail("jib", "sea/tern"));
    await clock.advance(20);
    sails.put(sail("main", "sea/tern"));
    await clock.advance(9);
    expect(applier.keys).toEqual([]);
    await clock.advance(1);
    expect(applier.keys).toEqual(["sea/tern"]);
    await clock.advance(1_000);
    expect(applier.keys).toEqual(["sea/tern"]);
  });

  test("a rule may say that its wake-ups do not wait for others", async () => {
    const definition = boatController();
    const wakeOn = definition.wakeOn.map((rule) =>
      rule.kind === Harbour ? { ...rule, urgencyOf: () => "now" as const } : rule,
    );
    const { clock, applier, boats, harbours } = await sailing({ ...definition, wakeOn });
    boats.put(boat("tern", { sails: 1, harbour: "bay" }));
    await clock.advance(50);
    applier.passes.length = 0;
    harbours.put({ apiVersion: "sea.dev/v1", kind: "Harbour", metadata: { namespace: "sea", name: "bay" } });
    await clock.settle();
    expect(applier.keys).toEqual(["sea/tern"]);
  });

  test("an update that leaves the projection equal wakes nobody", async () => {
    const { clock, applier, boats, sails } = await sailing();
    sails.put(sail("jib", "sea/tern"));
    await clock.advance(1_000);
    applier.passes.length = 0;
    boats.put(boat("tern"));
    sails.put(sail("jib", "sea/tern"));
    await clock.advance(1_000);
    expect(applier.keys).toEqual([]);
  });

  test("an update of an owned object that its controller calls irrelevant wakes nobody", async () => {
    const isRelevant = (old: KubeObject, object: KubeObject): boolean => old.metadata.labels !== object.metadata.labels;
    const owns = [{ kind: Sail, on: "delivery" as const, isRelevant }];
    const definition = boatController();
    const wakeOn = definition.wakeOn.filter(({ kind }) => kind !== Sail);
    const { clock, applier, sails } = await sailing({ ...definition, wakeOn, owns });
    sails.put(sail("jib", "sea/tern"));
    await clock.advance(1_000);
    applier.passes.length = 0;
    sails.put(sail("jib", "sea/tern", { spec: 1 }));
    await clock.advance(1_000);
    expect(applier.keys).toEqual([]);
    sails.put(sail("jib", "sea/tern", { metadata: { ...sail("jib", "sea/tern").metadata, labels: { torn: "yes" } } }));
    await clock.advance(1_000);
    expect(applier.keys).toEqual(["sea/tern"]);
  });

  test("an update that is not urgent waits a second for another", async () => {
    const urgencyOfUpdates = (_: KubeObject, old?: KubeObject) => (old ? "later" : "soon") as Urgency;
    const owns = [{ kind: Sail, on: "delivery" as const, urgencyOf: urgencyOfUpdates }];
    const definition = boatController();
    const wakeOn = definition.wakeOn.filter(({ kind }) => kind !== Sail);
    const { clock, applier, boats, sails } = await sailing({ ...definition, wakeOn, owns });
    sails.put(sail("jib", "sea/tern"));
    await clock.advance(1_000);
    applier.passes.length = 0;
    sails.put(sail("jib", "sea/tern", { spec: 1 }));
    await clock.advance(999);
    expect(applier.keys).toEqual([]);
    await clock.advance(1);
    expect(applier.keys).toEqual(["sea/tern"]);
    sails.put(sail("jib", "sea/tern", { spec: 2 }));
    boats.put(boat("tern", { sails: 2 }));
    await clock.advance(50);
    expect(applier.keys).toEqual(["sea/tern", "sea/tern"]);
    await clock.advance(5_000);
    expect(applier.keys).toEqual(["sea/tern", "sea/tern"]);
  });

  test("of an owned object cached as metadata every new version wakes its owner: its content may have changed", async () => {
    const owns = [{ kind: Sail, on: "delivery" as const, cache: { isMetadataOnly: true } }];
    const definition = boatController();
    const wakeOn = definition.wakeOn.filter(({ kind }) => kind !== Sail);
    const { clock, applier, sails } = await sailing({ ...definition, wakeOn, owns });
    sails.put(sail("jib", "sea/tern"));
    await clock.advance(1_000);
    applier.passes.length = 0;
    sails.put(sail("jib", "sea/tern"));
    await clock.advance(1_000);
    expect(applier.keys).toEqual(["sea/tern"]);
  });

  test("the first list gives way to live changes", async () => {
    const { clock, applier, boats, start, sync } = setUp();
    boats.hasSynced = false;
    start();
    for (const name of ["auk", "coot", "tern"]) boats.put(boat(name), { isInitial: true });
    boats.put(boat("tern", { sails: 2 }));
    await clock.advance(50);
    sync();
    await clock.advance(1_000);
    expect(applier.keys).toEqual(["sea/tern", "sea/auk", "sea/coot"]);
  });

  test("an owned object that comes, changes, moves to another owner or goes wakes its owners", async () => {
    const { clock, applier, boats, sails } = await sailing();
    boats.put(boat("gull"));
    const wokenBy = async (change: () => void): Promise<readonly string[]> => {
      await clock.advance(1_000);
      applier.passes.length = 0;
      change();
      await clock.advance(1_000);
      return applier.keys;
    };
    expect(await wokenBy(() => sails.put(sail("jib", "sea/tern")))).toEqual(["sea/tern"]);
    expect(await wokenBy(() => sails.put(sail("jib", "sea/tern", { spec: 1 })))).toEqual(["sea/tern"]);
    expect(await wokenBy(() => sails.put(sail("jib", "sea/gull")))).toEqual(["sea/gull", "sea/tern"]);
    expect(await wokenBy(() => sails.drop("sea/jib"))).toEqual(["sea/gull"]);
  });

  test("an object with a controller reference wakes the owner of that kind alone", async () => {
    const { clock, applier, sails } = await sailing();
    const referring = (name: string, kind: string): KubeObject => ({
      ...sail(name, "", {}),
      metadata: {
        namespace: "sea",
        name,
        ownerReferences: [{ apiVersion: "sea.dev/v1", kind, name: "tern", uid: "1", controller: true }],
      },
    });
    sails.put(referring("jib", "Ship"));
    await clock.advance(1_000);
    expect(applier.keys).toEqual([]);
    sails.put(referring("main", "Boat"));
    await clock.advance(1_000);
    expect(applier.keys).toEqual(["sea/tern"]);
  });

  test("an object that an owner names wakes that owner", async () => {
    const { clock, applier, boats, harbours } = await sailing();
    boats.put(boat("gull", { sails: 1, harbour: "north" }));
    await clock.advance(1_000);
    applier.passes.length = 0;
    const harbour = (name: string): KubeObject => ({
      apiVersion: "sea.dev/v1",
      kind: "Harbour",
      metadata: { namespace: "sea", name },
    });
    harbours.put(harbour("south"));
    harbours.put(harbour("north"));
    await clock.advance(1_000);
    expect(applier.keys).toEqual(["sea/gull"]);
  });
});

test("two rules by functions without a name are refused, since their indices could not be told apart", () => {
  const unnamed = () => named(Harbour, ({ spec }: Readonly<Boat>) => spec.harbour);
  const definition = { ...boatController(), wakeOn: [unnamed(), unnamed()] };
  expect(() => declareCaches([definition])).toThrow("give their functions names");
});

describe("a fleet", () => {
  /** Remote clusters that the test lets join and leave. */
  class TestFleet implements Fleet {
    readonly clusters: ClusterView[] = [];
    #visit: (cluster: ClusterView) => () => void = () => () => {};
    readonly #leaves = new Map<string, () => void>();
    #listener: (cluster: string) => void = () => {};

    visit(visit: (cluster: ClusterView) => () => void): () => void {
      this.#visit = visit;
      for (const cluster of this.clusters) this.#leaves.set(cluster.name, visit(cluster));
      return () => {};
    }

    onChange(listener: (cluster: string) => void): () => void {
      this.#listener = listener;
      return () => {};
    }

    join(cluster: ClusterView): void {
      this.clusters.push(cluster);
      this.#leaves.set(cluster.name, this.#visit(cluster));
      this.#listener(cluster.name);
    }

    leave(name: string): void {
      this.#leaves.get(name)?.();
      this.#listener(name);
    }
  }

  async function fleetSetUp() {
    const definition = { ...boatController(), owns: [{ kind: Sail, on: "fleet" as const }] };
    const fleet = new TestFleet();
    const delivery = new MemoryCaches();
    for (const { kind, options } of declareCaches([definition])) delivery.add(kind, options.indices);
    fleet.join(clusterOf(LOCAL_CLUSTER, delivery));
    const world = setUp(definition, { fleet });
    delivery.memory(Boat).put(boat("tern"));
    world.start();
    await world.clock.advance(1_000);
    world.applier.passes.length = 0;
    return { ...world, fleet };
  }

  test("a cluster that joins or leaves wakes every owner", async () => {
    const { clock, applier, fleet } = await fleetSetUp();
    const west = new MemoryCaches();
    west.add(Sail);
    fleet.join(clusterOf("west", west));
    await clock.advance(50);
    expect(applier.keys).toEqual(["sea/tern"]);
    fleet.leave("west");
    await clock.advance(50);
    expect(applier.keys).toEqual(["sea/tern", "sea/tern"]);
  });

  test("what is owned on a remote cluster wakes its owner, until that cluster leaves", async () => {
    const { clock, applier, fleet } = await fleetSetUp();
    const west = new MemoryCaches();
    const sails = west.add(Sail);
    fleet.join(clusterOf("west", west));
    await clock.advance(50);
    applier.passes.length = 0;
    sails.put(sail("jib", "sea/tern"));
    await clock.advance(50);
    expect(applier.keys).toEqual(["sea/tern"]);
    fleet.leave("west");
    await clock.advance(50);
    applier.passes.length = 0;
    sails.put(sail("main", "sea/tern"));
    await clock.advance(50);
    expect(applier.keys).toEqual([]);
  });
});
