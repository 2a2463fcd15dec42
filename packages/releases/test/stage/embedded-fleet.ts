import { crdOf, releaseResources } from "@chaski/api";
import { type Random, seededRandom, VirtualClock } from "@chaski/clock";
import { createEmbeddedCluster, type EmbeddedCluster, fleetCrds, type PodBehaviour } from "@chaski/embedded";
import { CustomResourceDefinition, type Pod, type Transport } from "@chaski/kube";
import { type Client, type ClusterSource, createClient } from "@chaski/runtime";
import { clusterSource } from "../../src/index.ts";
import { FleetStage, type Platform, type Target } from "./fleet-stage.ts";
import { Line } from "./line.ts";

export interface EmbeddedTarget extends Target {
  readonly cluster: EmbeddedCluster;
  /** What operators' connections go by. */
  readonly line: Line;
}

export interface EmbeddedFleet {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly delivery: EmbeddedCluster;
  readonly targets: readonly EmbeddedTarget[];
  readonly platform: Platform;
  source(wrap: Wrap): ClusterSource;
  stage(): FleetStage;
  close(): Promise<void>;
}

/** Stands between an operator and one of its clusters. */
export type Wrap = (transport: Transport, cluster: string) => Transport;

export interface EmbeddedFleetOptions {
  /** Pods become ready this long after their start. */
  readonly readyAfterMs?: number;
  /** What single pods of a cluster do differently. */
  readonly rules?: (cluster: string, pod: Pod) => PodBehaviour | undefined;
}

const STEP_MS = 100;
const LIMIT_MS = 600_000;
const NAMES = ["east", "north", "west"];

/** One delivery and three target clusters in this process, whose time stands still unless a test waits for something. */
export async function embeddedFleet({
  readyAfterMs = 1_000,
  rules = () => undefined,
}: EmbeddedFleetOptions = {}): Promise<EmbeddedFleet> {
  const clock = new VirtualClock();
  const random = seededRandom(1);
  const delivery = await createEmbeddedCluster({ clock, random });
  const client = createClient({ cluster: "delivery", transport: delivery.transport, clock, random, userAgent: "test" });
  for (const resource of releaseResources)
    await client.of(CustomResourceDefinition).create(crdOf(resource) as unknown as CustomResourceDefinition);
  const targets = await Promise.all(NAMES.map((name) => newTarget(name, { clock, random, readyAfterMs, rules })));
  const platform: Platform = {
    delivery: client,
    targets,
    now: () => clock.now(),
    pass: (ms) => clock.advance(ms),
    until: async (what, holds) => {
      const limitMs = clock.now() + LIMIT_MS;
      while (!(await holds())) {
        if (clock.now() > limitMs) throw new Error(`${what}: not within ${LIMIT_MS} ms`);
        await clock.advance(STEP_MS);
      }
    },
  };
  return {
    clock,
    random,
    delivery,
    targets,
    platform,
    source: (wrap) => inProcess(targets, wrap),
    stage: () => new FleetStage(platform, { app: "echo", namespace: "default" }),
    close: async () => {
      await Promise.all([delivery, ...targets.map(({ cluster }) => cluster)].map((cluster) => cluster.close()));
    },
  };
}

async function newTarget(name: string, options: TargetOptions): Promise<EmbeddedTarget> {
  const { clock, random, readyAfterMs } = options;
  const rules = (pod: Pod): PodBehaviour | undefined => options.rules(name, pod);
  const cluster = await createEmbeddedCluster({ clock, random, workloads: { nodes: 2, readyAfterMs, rules } });
  const { transport } = cluster;
  const clientOf = (userAgent: string): Client =>
    createClient({ cluster: name, transport: { ...transport, close: async () => {} }, clock, random, userAgent });
  const client = clientOf("test");
  for (const crd of fleetCrds())
    await client.of(CustomResourceDefinition).create(crd as unknown as CustomResourceDefinition);
  const server = `https://${name}.invalid`;
  return {
    name,
    client,
    clientOf,
    cluster,
    server,
    authority: "",
    authInfo: { token: `token-of-${name}` },
    line: new Line(transport),
  };
}

interface TargetOptions extends Required<EmbeddedFleetOptions> {
  readonly clock: VirtualClock;
  readonly random: Random;
}

/** Clusters are defined as in production, up to the socket. */
function inProcess(targets: readonly EmbeddedTarget[], wrap: Wrap): ClusterSource {
  return {
    ...clusterSource,
    define: async (object, secret) => {
      const definition = await clusterSource.define(object, secret);
      const target = targets.find(({ server }) => definition.identity.includes(server));
      if (!target) throw new Error(`${definition.identity} leads nowhere`);
      const { line, name } = target;
      const transport = wrap({ send: (request) => line.send(request), close: async () => {} }, name);
      return { ...definition, open: () => ({ ...definition.open(), transport }) };
    },
  };
}
