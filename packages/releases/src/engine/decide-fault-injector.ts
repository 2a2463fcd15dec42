// Whether the faults of a FaultInjector are in the routes (§2.6): told from the routes as they are, never from intent.
import { type FaultInjector, type FaultInjectorStatus, type HttpPortFault, releaseKeys } from "@chaski/api";
import { type ConditionClaim, findCondition, formatTimestamp, isEqualJson, setConditions } from "@chaski/kube";
import { type Decision, decision, type EventNote } from "@chaski/runtime/decision";
import { contactText } from "./contact-text.ts";
import type { Contact } from "./world.ts";

export interface FaultInjectorWorld {
  readonly nowMs: number;
  readonly injector: FaultInjector;
  readonly releases: readonly FaultedRelease[];
}

/** A release that the injector is bound to. */
export interface FaultedRelease {
  /** Its namespace on every cluster. */
  readonly name: string;
  /** By name: for one port the last counts. */
  readonly injectors: readonly FaultInjector[];
  readonly clusters: readonly FaultedCluster[];
}

export interface FaultedCluster {
  readonly name: string;
  readonly contact: Contact;
  /** Of the live VirtualService; undefined where there is none. */
  readonly routes?: readonly FaultedRoute[];
}

export interface FaultedRoute {
  readonly port: number;
  readonly fault?: HttpPortFault["fault"];
}

/** Of one fault in one release on one cluster. No problem: it is in effect. */
interface Finding {
  readonly where: string;
  readonly problem?: { readonly reason: string; readonly message: string };
}

export function decideFaultInjector(world: FaultInjectorWorld): Decision<FaultInjectorStatus> {
  const { injector, nowMs } = world;
  const claim = claimOf(findingsOf(world));
  const conditions = setConditions(injector.status?.conditions, [claim], formatTimestamp(nowMs));
  return decision({ status: { conditions }, events: transitionEvents(injector, claim) });
}

const MESSAGE_MAX = 1024;

function claimOf(findings: readonly Finding[]): ConditionClaim {
  const problems = findings.flatMap(({ problem }) => problem ?? []);
  const places = findings.filter(({ problem }) => problem === undefined).map(({ where }) => where);
  const [first] = problems;
  const inEffect = places.length === 0 ? [] : [`in effect: ${places.join(", ")}`];
  const message = [...new Set(problems.map(({ message }) => message)), ...inEffect].join("; ").slice(0, MESSAGE_MAX);
  if (!first) return { type: "InEffect", status: "True", reason: "InEffect", message };
  const isUnknown = problems.every(({ reason }) => reason === "ClusterUnobserved");
  return { type: "InEffect", status: isUnknown ? "Unknown" : "False", reason: first.reason, message };
}

function findingsOf({ injector, releases }: FaultInjectorWorld): readonly Finding[] {
  const { httpPortFaults } = injector.spec;
  const unbound = unboundBecause(injector, releases);
  if (unbound) return [unbound];
  if (httpPortFaults.length === 0) return [finding("", "NoFaults", "spec.httpPortFaults is empty")];
  return httpPortFaults.flatMap((fault, index) => {
    const number = fault.portSelector?.number;
    if (number === undefined || fault.fault === undefined)
      return [finding("", "Incomplete", `httpPortFaults[${index}] is ignored: it needs portSelector.number and fault`)];
    return releases.flatMap((release) => findingsIn(release, injector, { ...fault, port: number }));
  });
}

function unboundBecause({ metadata }: FaultInjector, releases: readonly FaultedRelease[]): Finding | undefined {
  const { labels = {} } = metadata;
  const missing = [releaseKeys.labels.app, releaseKeys.labels.target].find((label) => labels[label] === undefined);
  if (missing !== undefined) {
    const hint = missing === releaseKeys.labels.target ? " (empty: every target)" : "";
    return finding("", "Unbound", `the label ${missing} is missing${hint}: it says whose routes get the faults`);
  }
  if (releases.length > 0) return undefined;
  const [app, target] = [labels[releaseKeys.labels.app], labels[releaseKeys.labels.target]];
  return finding("", "NoRelease", `there is no release of ${app}${target ? ` in ${target}` : ""} in this namespace`);
}

type PlacedFault = HttpPortFault & { readonly port: number };

function findingsIn(release: FaultedRelease, injector: FaultInjector, fault: PlacedFault): readonly Finding[] {
  const place = `port ${fault.port} of ${release.name}`;
  const all = release.injectors.flatMap((by) => by.spec.httpPortFaults.map((each) => ({ by: by.metadata.name, each })));
  const last = all.findLast(({ each }) => each.portSelector?.number === fault.port);
  if (last && (last.by !== injector.metadata.name || !isEqualJson(last.each.fault, fault.fault)))
    return [finding(place, "Overridden", `${place} has the later fault of FaultInjector ${last.by}`)];
  if (release.clusters.length === 0) return [finding(place, "NoCluster", `${release.name} has no cluster`)];
  return release.clusters.map((cluster) => findingOn(cluster, place, fault));
}

function findingOn({ name, contact, routes }: FaultedCluster, place: string, fault: PlacedFault): Finding {
  const where = `${place} on ${name}`;
  if (contact.state !== "observed")
    return finding(where, "ClusterUnobserved", `cluster ${name} is ${contactText(contact)}`);
  if (!routes) return finding(where, "NoRoutes", `there are no routes on ${name} yet`);
  const ofPort = routes.filter(({ port }) => port === fault.port);
  if (ofPort.length === 0) return finding(where, "NoSuchPort", `no route on ${name} is for ${place}`);
  return ofPort.every((route) => isEqualJson(route.fault, fault.fault))
    ? { where }
    : finding(where, "NotYetWritten", `the routes of ${where} do not have it yet`);
}

function finding(where: string, reason: string, message: string): Finding {
  return { where, problem: { reason, message } };
}

/** People look here when a test of theirs sees no fault. */
function transitionEvents({ status }: FaultInjector, claim: ConditionClaim): readonly EventNote[] {
  const before = findCondition(status?.conditions, claim.type);
  if (before?.status === claim.status && before.reason === claim.reason) return [];
  const reason = claim.status === "True" ? "FaultsInEffect" : `Faults${claim.reason}`;
  return [{ type: "Normal", reason, message: claim.message }];
}
