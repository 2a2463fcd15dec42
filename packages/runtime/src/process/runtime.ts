import type { Clock, Random } from "@chaski/clock";
import type { Applied, ApplierOptions } from "../apply/create-applier.ts";
import type { Client } from "../client/client.ts";
import type { ClusterDefinition } from "../clusters/definition.ts";
import type { Fleet } from "../clusters/fleet.ts";
import type { ClusterSource } from "../clusters/source.ts";
import type { Link } from "../clusters/rotating-link.ts";
import type { AnyController, Urgency } from "../controller/controller.ts";
import type { Leadership } from "../leader/leadership.ts";
import type { Logger } from "../log/logger.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Rate } from "../queue/token-bucket.ts";
import type { Recording } from "../recording/recorded-pass.ts";
import type { AdmissionHandler } from "../webhook/admission.ts";
import type { CaBundleTargets } from "../webhook/ca-bundle.ts";
import type { ServingCertificates } from "../webhook/certificates.ts";

export interface WebhookSettings {
  readonly host?: string;
  readonly port: number;
  readonly handlers: readonly AdmissionHandler[];
  /** With a client that may write also on replicas that do not lead. */
  readonly certificates: (client: Client) => ServingCertificates;
  /** Configurations into which our own authority is written. */
  readonly targets?: CaBundleTargets;
}

export interface RuntimeOptions {
  /** Who reports events and sends requests: the program's name. */
  readonly name: string;
  /** Which replica: the pod's name. */
  readonly instance: string;
  readonly version: string;
  /** The cluster that the controllers' own kinds live on, by the name that stays in what they own. */
  readonly delivery: Link & { readonly name: string };
  readonly controllers: readonly AnyController[];
  /** Objects that define the remote clusters; without it `setClusters` says what they are. */
  readonly clusters?: ClusterSource;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly leadership: Leadership;
  /** Unless given: Prometheus' if health is served, otherwise none. */
  readonly metrics?: Metrics;
  readonly health?: { readonly host?: string; readonly port: number };
  readonly webhooks?: WebhookSettings;
  readonly recordings?: readonly Recording[];
  readonly rateLimit?: Rate;
  readonly apply?: Pick<ApplierOptions, "ignoreLabel" | "replacedManagers" | "reservedNamespaces" | "observe">;
  /** In tests: whoever mutates what is shared fails. */
  readonly isFrozen?: boolean;
  /** How long a stop may take; Kubernetes kills after 30 s. */
  readonly drainMs?: number;
}

/** Told to write nothing: neither objects nor events, leases or webhook configurations. */
export function isObserving({ apply }: Pick<RuntimeOptions, "apply">): boolean {
  return apply?.observe !== undefined;
}

/** All that runs in one process, from start to stop. */
export interface Runtime {
  /** Of the delivery cluster; writes also when this replica does not lead. */
  readonly client: Client;
  readonly metrics: Metrics;
  readonly isLeading: boolean;
  /** The delivery cluster and the remote ones, as they are. */
  readonly fleet: Fleet;
  /** Of one of its clusters, to read what is in no cache; undefined where it is not part of the fleet. */
  clientOf(cluster: string): Client | undefined;
  readonly ports: { readonly health?: number; readonly webhooks?: number };
  /** What the remote clusters are from now on. */
  setClusters(definitions: readonly ClusterDefinition[]): void;
  /** Wakes one owner of one controller, for reasons that are in no cache. */
  wake(controller: string, key: string, urgency?: Urgency): void;
  /** Tells what came of every attempt to apply a decision, until it is disposed of. */
  onApplied(tell: (applied: Applied) => void): Disposable;
  /**
   * Caches, webhooks and health at once; workers when this replica leads, the delivery cluster's caches are there, and the
   * remote clusters have answered or had some seconds to.
   */
  start(): Promise<void>;
  /** Resolves when this replica has lost leadership: stop it, and let a new process stand. */
  readonly lost: Promise<void>;
  /** Finishes what is in hand, then lets go of the lease, then ends. Bounded. */
  stop(): Promise<void>;
}
