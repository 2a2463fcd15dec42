// The sides: a program each, what it needs before, and how a release is begun and followed.
import { Canary } from "@chaski/api";
import type { Kind, KubeObject } from "@chaski/kube";
import { type Client, ENVIRONMENT } from "@chaski/runtime";
import { bundledProgram } from "../bundled-program.ts";
import { argoController } from "./argo-rollouts.ts";
import {
  batchDecidedMs,
  batchesOfCanary,
  batchesOfRollout,
  canaryToNewer,
  isHealthy,
  isServing,
  ROLLOUT_TO_NEWER,
  Rollout,
  rolloutOf,
  servingCanaryOf,
} from "./release.ts";

export interface Run {
  readonly kubeconfigPath: string;
  readonly healthPort: number;
  readonly metricsPort: number;
}

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

export interface Side {
  readonly name: string;
  /** What serves before the release. */
  readonly before: {
    readonly build: (namespace: string, name: string) => KubeObject;
    readonly isServing: (object: Readonly<KubeObject>) => boolean;
    /** What brings it about. */
    readonly command: (run: Run) => Command;
  };
  readonly command: (run: Run) => Command;
  readonly kind: Kind;
  readonly start: (client: Client, namespace: string, name: string) => Promise<unknown>;
  /** How many batches the release has behind it. */
  readonly batchesOf: (object: Readonly<KubeObject>) => number;
  /** When it was decided to begin the batch that the release is in, where that is told. */
  readonly decidedMs?: (object: Readonly<KubeObject>) => number;
  /** For how long it may still tell events about releases that have ended. */
  readonly tellsLateMs: number;
}

/** As many as Argo Rollouts has by default. */
const WORKERS = 10;

/** Ours as it is installed: the bundle, started as the image starts it, with as many workers as the other side has. */
export async function chaski(): Promise<Side> {
  const program = await bundledProgram();
  const command = ({ kubeconfigPath, healthPort }: Run): Command => ({
    command: process.execPath,
    args: [
      program,
      "operator",
      `--kubeconfig=${kubeconfigPath}`,
      "--wings=canaries",
      "--no-enable-leader-election",
      `--concurrent-canaries=${WORKERS}`,
      `--health-port=${healthPort}`,
    ],
    env: { ...process.env, ...ENVIRONMENT },
  });
  return {
    name: "chaski",
    before: {
      build: servingCanaryOf,
      isServing: (object) => isServing(object as Canary),
      command,
    },
    command,
    kind: Canary,
    start: (client, namespace, name) => client.of(Canary).patch({ namespace, name }, "merge", canaryToNewer(name)),
    batchesOf: (object) => batchesOfCanary(object as Canary),
    decidedMs: (object) => batchDecidedMs(object as Canary),
    // It counts what it repeats, and tells the count after five minutes.
    tellsLateMs: 301_000,
  };
}

/** Its client allows itself 40 requests a second unless told otherwise. */
export async function argoRollouts(limits: "default" | "raised", log: (line: string) => void): Promise<Side> {
  const command = await argoController(log);
  const withFlags =
    (flags: readonly string[]) =>
    ({ kubeconfigPath, healthPort, metricsPort }: Run): Command => ({
      command,
      args: [
        `--kubeconfig=${kubeconfigPath}`,
        "--leader-elect=false",
        "--loglevel=error",
        `--healthzPort=${healthPort}`,
        `--metricsPort=${metricsPort}`,
        ...flags,
      ],
    });
  const raised = withFlags(["--qps=1000", "--burst=2000"]);
  return {
    name: `argo-${limits}`,
    before: {
      build: rolloutOf,
      isServing: isHealthy,
      command: raised,
    },
    command: limits === "raised" ? raised : withFlags([]),
    kind: Rollout,
    start: (client, namespace, name) => client.of(Rollout).patch({ namespace, name }, "json", ROLLOUT_TO_NEWER),
    batchesOf: batchesOfRollout,
    // It tells at once, one after the other.
    tellsLateMs: 61_000,
  };
}
