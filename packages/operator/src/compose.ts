// Everything that runs. Each wing is a list of controllers and admission handlers; nothing registers itself.
import { canaryController, validateCanary } from "@chaski/canaries";
import { type Kind, Pod } from "@chaski/kube";
import { clusterSource, releaseAdmission, releaseControllers, type ReleasesOptions } from "@chaski/releases";
import type { AdmissionHandler, AnyController, ClusterSource } from "@chaski/runtime";
import { releasesByDefault } from "./release-settings.ts";

export const WINGS = ["releases", "canaries"] as const;
export type Wing = (typeof WINGS)[number];

export interface ComposeOptions {
  readonly wings: readonly Wing[];
  readonly concurrentCanaries: number;
  /** As Picchu's defaults, unless given. */
  readonly releases?: ReleasesOptions;
}

export interface Composition {
  readonly controllers: readonly AnyController[];
  readonly admission: readonly AdmissionHandler[];
  /** What the remote clusters are. */
  readonly clusters?: ClusterSource;
  /** Listed on the remote clusters now and then, and in no cache. */
  readonly listed?: readonly Kind[];
}

export function compose({ wings, concurrentCanaries, releases = releasesByDefault() }: ComposeOptions): Composition {
  const all: Readonly<Record<Wing, Composition>> = {
    releases: {
      controllers: releaseControllers(releases),
      admission: releaseAdmission,
      clusters: clusterSource,
      listed: [Pod],
    },
    canaries: {
      controllers: [canaryController({ concurrency: concurrentCanaries })],
      admission: [validateCanary],
    },
  };
  const chosen = wings.map((wing) => all[wing]);
  const [clusters] = chosen.flatMap((wing) => wing.clusters ?? []);
  return {
    controllers: chosen.flatMap(({ controllers }) => controllers),
    admission: chosen.flatMap(({ admission }) => admission),
    ...(clusters && { clusters }),
    listed: chosen.flatMap(({ listed = [] }) => listed),
  };
}
