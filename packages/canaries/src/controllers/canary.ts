// Watches: Canaries, the Deployments they name or own, the autoscalers that target those.
// Writes:  those Deployments, the ControllerRevisions that record their templates, the Canary's status and finalizer.
// Never:   pods, Services, autoscalers.
import { Canary } from "@chaski/api";
import { ControllerRevision, Deployment } from "@chaski/kube";
import { type AnyController, defineController, named, type WakeRule } from "@chaski/runtime";
import { decideCanary } from "../engine/decide-canary.ts";
import { namedDeployments } from "../engine/world.ts";
import { isNews, urgencyOf } from "./deployment-news.ts";
import { gatherCanary } from "./gather-canary.ts";
import { CANARY_INDICES, DEPLOYMENT_INDICES } from "./indices.ts";
import { autoscalersBeside, stalledNeighbours } from "./neighbours.ts";

const NEWS = { isRelevant: isNews, urgencyOf } as Pick<WakeRule, "isRelevant" | "urgencyOf">;

export function canaryController({ concurrency }: { readonly concurrency: number }): AnyController {
  return defineController({
    name: "canaries.canary",
    kind: Canary,
    cache: { indices: CANARY_INDICES },
    owns: [
      { kind: Deployment, on: "delivery", cache: { indices: DEPLOYMENT_INDICES }, ...NEWS },
      { kind: ControllerRevision, on: "delivery" },
    ],
    wakeOn: [
      { ...named(Deployment, namedDeployments), ...NEWS },
      stalledNeighbours(Deployment),
      autoscalersBeside,
      stalledNeighbours(Canary),
    ],
    gather: gatherCanary,
    decide: decideCanary,
    concurrency,
  });
}
