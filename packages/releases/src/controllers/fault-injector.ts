// Watches: FaultInjectors, the releases that they are bound to, the routes of those on every cluster.
// Writes:  the FaultInjector's status.
// Never:   a route: the ReleaseManager writes those.
import { FaultInjector, ReleaseManager, releaseKeys } from "@chaski/api";
import { isEqualJson, keyOf, type KubeObject, parseKey } from "@chaski/kube";
import { type AnyController, type Caches, defineController, type Gathering, wake } from "@chaski/runtime";
import {
  decideFaultInjector,
  type FaultedCluster,
  type FaultedRelease,
  type FaultInjectorWorld,
} from "../engine/decide-fault-injector.ts";
import { VirtualService } from "../objects/kinds.ts";
import { contactOf } from "./contact.ts";
import { byName, clustersOfFleet, injectorsOf, isBoundTo } from "./fleet-members.ts";
import { faultedRoutesOf } from "./live-route.ts";
import { cacheOf } from "./owned-kinds.ts";
import { releaseNameOf } from "./revisions.ts";

export function faultInjectorController(): AnyController {
  return defineController({
    name: "releases.fault-injector",
    kind: FaultInjector,
    owns: [],
    wakeOn: [
      wake<FaultInjector>({
        kind: FaultInjector,
        on: "delivery",
        keys: ({ metadata }, { caches }) => injectorKeys(caches, metadata),
        isRelevant: isOtherInjector,
      }),
      wake<ReleaseManager>({
        kind: ReleaseManager,
        on: "delivery",
        keys: ({ metadata }, { caches }) => injectorKeys(caches, metadata),
        isRelevant: () => false,
      }),
      wake<KubeObject>({
        kind: VirtualService,
        on: "remotes",
        cache: cacheOf(VirtualService),
        keys: ({ metadata }, { caches, cluster }) =>
          injectorsIn(caches, parseKey(cluster))
            .filter((injector) => appOf(injector) === appOf({ metadata }))
            .map((injector) => keyOf(injector.metadata)),
      }),
    ],
    wakeOnCluster: ({ caches, cluster }) => injectorKeys(caches, parseKey(cluster)),
    gather: gatherFaultInjector,
    decide: decideFaultInjector,
  });
}

function gatherFaultInjector(gathering: Gathering<FaultInjector>): FaultInjectorWorld {
  const { object: injector, nowMs, caches } = gathering;
  const releases = caches
    .of(ReleaseManager)
    .inNamespace(injector.metadata.namespace ?? "")
    .list()
    .filter((release) => isBoundTo(injector, release))
    .toSorted(byName)
    .map((release) => faultedRelease(release, gathering));
  return { nowMs, injector, releases };
}

function faultedRelease(release: ReleaseManager, { caches, clusters }: Gathering<FaultInjector>): FaultedRelease {
  const { app, target } = release.spec;
  const name = releaseNameOf(app, target);
  return {
    name,
    injectors: injectorsOf(caches, release),
    clusters: clustersOfFleet(caches, release).map((cluster): FaultedCluster => {
      const key = keyOf(cluster.metadata);
      const view = clusters.find((each) => each.name === key);
      const route = view?.caches.of(VirtualService).inNamespace(name).get(app);
      return { name: key, contact: contactOf(view), ...(route ? { routes: faultedRoutesOf(route) } : {}) };
    }),
  };
}

/** Its status is our own report. */
function isOtherInjector(old: FaultInjector, injector: FaultInjector): boolean {
  return (
    old.metadata.generation !== injector.metadata.generation ||
    !isEqualJson(old.metadata.labels, injector.metadata.labels)
  );
}

function appOf({ metadata }: Pick<KubeObject, "metadata">): string | undefined {
  return metadata.labels?.[releaseKeys.labels.app];
}

function injectorsIn(caches: Caches, { namespace = "" }: { readonly namespace?: string }): readonly FaultInjector[] {
  return caches.of(FaultInjector).inNamespace(namespace).list();
}

function injectorKeys(caches: Caches, place: { readonly namespace?: string }): readonly string[] {
  return injectorsIn(caches, place).map(({ metadata }) => keyOf(metadata));
}
