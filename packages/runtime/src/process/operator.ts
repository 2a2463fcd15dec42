import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { RealClock, systemRandom } from "@chaski/clock";
import type { Key } from "@chaski/kube";
import { undiciTransport } from "../client/undici-transport.ts";
import { type ConnectionSource, defaultConnection } from "../kubeconfig/load.ts";
import { thisMachine } from "../kubeconfig/machine.ts";
import { type Leadership, undisputed } from "../leader/leadership.ts";
import { leadershipInThread } from "../leader/leadership-in-thread.ts";
import type { Logger } from "../log/logger.ts";
import { pinoLogger } from "../log/pino-logger.ts";
import { createRuntime } from "./create-runtime.ts";
import { runUntilSignal } from "./run.ts";
import type { Runtime, RuntimeOptions } from "./runtime.ts";

type Wired = "clock" | "random" | "log" | "leadership" | "delivery" | "instance" | "version";

export interface OperatorOptions extends Omit<RuntimeOptions, Wired>, Partial<Pick<RuntimeOptions, "log" | "version">> {
  /** As kubectl finds its cluster, unless a file or a context is named. */
  readonly kubeconfig?: ConnectionSource;
  /** The name that stays in what the controllers own. */
  readonly deliveryName?: string;
  /** The lease by which replicas agree on who acts; without it this is the only one. */
  readonly lease?: Key;
  /** Called before the start, for what needs the running whole. */
  readonly prepare?: (runtime: Runtime) => void | Promise<void>;
}

/** An operator on a real cluster, from connection to exit code: `process.exitCode = await runOperator({ ... })`. */
export async function runOperator(options: OperatorOptions): Promise<number> {
  const { kubeconfig = {}, lease, prepare, deliveryName = "delivery", ...rest } = options;
  const clock = new RealClock();
  const log = options.log ?? pinoLogger();
  const { endpoint, credentials } = await defaultConnection(thisMachine(clock), kubeconfig);
  const instance = hostname();
  const runtime = createRuntime({
    version: "0.0.0",
    ...rest,
    instance,
    clock,
    random: systemRandom,
    log,
    delivery: { name: deliveryName, transport: undiciTransport(endpoint), ...(credentials && { credentials }) },
    leadership: lease ? standFor(lease, kubeconfig, instance, log) : undisputed,
  });
  await prepare?.(runtime);
  return runUntilSignal(runtime, log);
}

function standFor(key: Key, source: ConnectionSource, instance: string, log: Logger): Leadership {
  return leadershipInThread({
    source,
    key,
    identity: `${instance}_${randomUUID()}`,
    onNews: ({ holder, error }) =>
      error === undefined
        ? log.info("the lease has a holder", { holder })
        : log.warn("the lease could not be had or renewed", { error }),
  });
}
