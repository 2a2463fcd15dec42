import { randomUUID } from "node:crypto";
import { type Kind, type KubeObject, Namespace } from "@chaski/kube";
import { type ApplierOptions, type CacheOptions, LOCAL_CLUSTER } from "@chaski/runtime";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Place } from "./place.ts";
import { connectCluster, installVoyages, Stage, type StageCluster } from "./stage.ts";

export interface StageInUse {
  readonly stage: Stage;
  readonly place: Place;
  createNamespace(): Promise<string>;
}

/** Starts what the cases run on; once for a file. */
export type PlaceStart = () => Promise<Place>;

export interface UseStageOptions extends Partial<ApplierOptions> {
  /** Of every kind but the owner's. */
  readonly cache?: CacheOptions<KubeObject>;
}

/** A namespace with an owner for each test. */
export function useStage(start: PlaceStart, kinds: readonly Kind[], options: UseStageOptions = {}): StageInUse {
  const { cache, ...applierOptions } = options;
  let place: Place | undefined;
  let cluster: StageCluster | undefined;
  let stage: Stage | undefined;

  async function createNamespace(): Promise<string> {
    const name = `applier-${randomUUID().slice(0, 8)}`;
    await started(cluster).witness.of(Namespace).create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
    return name;
  }

  beforeAll(async () => {
    place = await start();
    const [client, witness] = await Promise.all([place.applier(), place.witness()]);
    await installVoyages(witness);
    cluster = await connectCluster(LOCAL_CLUSTER, { client, witness }, kinds, cache);
  });
  afterAll(async () => {
    await cluster?.stop();
  });
  beforeEach(async () => {
    stage = new Stage(started(cluster), await createNamespace(), { kinds, ...applierOptions });
    await stage.createOwner();
  });

  return {
    get stage() {
      return started(stage);
    },
    get place() {
      return started(place);
    },
    createNamespace,
  };
}

function started<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("it is there from beforeAll on");
  return value;
}
