// What a Canary has to do with others is found by index: looking at every Deployment of a namespace in every pass would
// make many Canaries cost the square of their number.
import type { Canary } from "@chaski/api";
import { type Deployment, type HorizontalPodAutoscaler, isTrue, keyOf, type KubeObject } from "@chaski/kube";
import type { IndexFunction } from "@chaski/runtime";
import type { PodClaim } from "../engine/selectors.ts";
import { podsOf } from "../engine/selectors.ts";
import { namedDeployments } from "../engine/world.ts";

/** Canaries by the Deployments that they name. */
export const BY_DEPLOYMENT = "canaries.byDeployment";
/** Canaries that stall, by namespace. */
export const STALLED = "canaries.stalled";
/** Deployments by each label of their pods. */
const BY_POD_LABEL = "canaries.byPodLabel";
/** Deployments by one label that their selector asks for. */
const BY_SELECTED_LABEL = "canaries.bySelectedLabel";
/** Autoscalers by the Deployment that they scale. */
export const BY_TARGET = "canaries.byTarget";

export const CANARY_INDICES = {
  [BY_DEPLOYMENT]: ({ metadata, ...canary }: Readonly<Canary>) =>
    namedDeployments({ metadata, ...canary }).map((name) => keyOf({ ...namespaceOf(metadata), name })),
  [STALLED]: ({ metadata, status }: Readonly<Canary>) =>
    isTrue(status?.conditions, "Stalled") ? [metadata.namespace ?? ""] : [],
} satisfies Record<string, IndexFunction<Canary>>;

export const DEPLOYMENT_INDICES = {
  [BY_POD_LABEL]: (deployment: Readonly<KubeObject>) => {
    const { labels } = podsOf(deployment as Deployment);
    return pairsOf(labels).map((pair) => inNamespace(deployment, pair));
  },
  [BY_SELECTED_LABEL]: (deployment: Readonly<KubeObject>) => [
    inNamespace(deployment, askedFor(podsOf(deployment as Deployment)) ?? ANY),
  ],
} satisfies Record<string, IndexFunction<KubeObject>>;

export const AUTOSCALER_INDICES = {
  [BY_TARGET]: ({ metadata, spec }: Readonly<HorizontalPodAutoscaler>) => {
    const { kind, name } = spec?.scaleTargetRef ?? {};
    return kind === "Deployment" && name !== undefined ? [keyOf({ ...namespaceOf(metadata), name })] : [];
  },
} satisfies Record<string, IndexFunction<HorizontalPodAutoscaler>>;

export interface DeploymentLookup {
  readonly namespace: string;
  list(): readonly Deployment[];
  byIndex(index: string, value: string): readonly Deployment[];
}

/** All Deployments whose pods the claim may select, and all that may select its pods. */
export function rivalsOf(claim: PodClaim, deployments: DeploymentLookup): readonly Deployment[] {
  const place = { metadata: { namespace: deployments.namespace } };
  const asked = askedFor(claim);
  if (asked === undefined) return deployments.list();
  return [
    ...deployments.byIndex(BY_POD_LABEL, inNamespace(place, asked)),
    ...[...pairsOf(claim.labels), ANY].flatMap((pair) =>
      deployments.byIndex(BY_SELECTED_LABEL, inNamespace(place, pair)),
    ),
  ];
}

const ANY = "*";

/** One of the labels without which the selector matches nothing; undefined if it has no such. */
function askedFor({ selector }: PodClaim): string | undefined {
  return pairsOf(selector?.matchLabels ?? {}).at(-1);
}

function pairsOf(labels: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(labels).map(([name, value]) => `${name}=${value}`);
}

function inNamespace({ metadata }: { readonly metadata: { readonly namespace?: string } }, pair: string): string {
  return `${metadata.namespace ?? ""} ${pair}`;
}

function namespaceOf({ namespace }: KubeObject["metadata"]): { readonly namespace?: string } {
  return namespace === undefined ? {} : { namespace };
}
