// What the objects of a mesh say, in words of the engine.
import type { FaultedRoute } from "../engine/decide-fault-injector.ts";
import type { LiveRoute } from "../engine/world.ts";
import type { SpecObject } from "../objects/kinds.ts";

interface HttpRoute {
  readonly name?: string;
  readonly route?: readonly { readonly destination?: Destination; readonly weight?: number }[];
  readonly fault?: NonNullable<FaultedRoute["fault"]>;
}

interface Destination {
  readonly subset?: string;
  readonly port?: { readonly number?: number };
}

const RELEASE_ROUTE = /^01_release-/;

export function liveRouteOf({ spec }: SpecObject): LiveRoute {
  const routes = (spec?.["http"] ?? []) as readonly HttpRoute[];
  const subsets = routes.flatMap(({ route = [] }) => route.map(({ destination }) => destination?.subset ?? ""));
  const release = routes.find(({ name = "" }) => RELEASE_ROUTE.test(name));
  return { weights: weightsOf(release), named: [...new Set(subsets)].filter((tag) => tag !== "").toSorted() };
}

/** A lone destination needs no weight: it gets everything. */
function weightsOf({ route = [] }: HttpRoute = {}): LiveRoute["weights"] {
  const shares = route.map(({ destination, weight }) => {
    return [destination?.subset ?? "", weight ?? (route.length === 1 ? 100 : 0)] as const;
  });
  return Object.fromEntries(shares.filter(([tag, weight]) => tag !== "" && weight > 0));
}

export function subsetsOf({ spec }: SpecObject): readonly string[] {
  const subsets = (spec?.["subsets"] ?? []) as readonly { readonly name?: string }[];
  return subsets.flatMap(({ name }) => name ?? []).toSorted();
}

/** Of routes that lead to the app; a dev route leads elsewhere and has no faults. */
export function faultedRoutesOf({ spec }: SpecObject): readonly FaultedRoute[] {
  const routes = (spec?.["http"] ?? []) as readonly HttpRoute[];
  return routes.flatMap(({ route: [first] = [], fault }) => {
    const port = first?.destination?.subset === undefined ? undefined : first.destination.port?.number;
    return port === undefined ? [] : [{ port, ...(fault ? { fault } : {}) }];
  });
}
