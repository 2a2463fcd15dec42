import { releaseKeys } from "@chaski/api";
import { describeRef, type KubeObject } from "@chaski/kube";
import type { Entry } from "@chaski/runtime/decision";
import { describe, expect, test } from "vitest";
import { configSource, echoApp, echoCluster, echoRevision, echoTarget } from "../../../test/echo.ts";
import type { AppPlan, ClusterPlan, EndingPlan } from "../../plan/plan.ts";
import { optionalKinds, refOf } from "../kinds.ts";
import { buildEntries } from "./build-entries.ts";

const NAMESPACE = "echo-production";
const { labels, annotations } = releaseKeys;

const http = { name: "http", mode: "private", port: 80, ingresses: ["private"] };

function appOf(changes: Partial<AppPlan> = {}): AppPlan {
  return echoApp({ routing: { ports: [http], defaultIngressPorts: { private: "http" }, faults: [] }, ...changes });
}

function clusterOf(changes: Partial<ClusterPlan> = {}): ClusterPlan {
  const served = optionalKinds.map(({ plural, group }) => `${plural}.${group}`);
  return { cluster: "east", spec: echoCluster(), served, revisions: [], endings: [], owned: [], ...changes };
}

function entriesOf(app: AppPlan, cluster: ClusterPlan): readonly Entry[] {
  return buildEntries({ app, clusters: [cluster] })["east"] ?? [];
}

function said(entries: readonly Entry[]): readonly string[] {
  return entries.map((entry) => {
    const what = `${entry.verb} ${entry.ref.kind.kind} ${entry.ref.name}`;
    return entry.verb === "scale" ? `${what} to ${entry.replicas}` : what;
  });
}

function live(kind: string, name: string, more: { tag?: string } & Partial<KubeObject> & Record<string, unknown> = {}) {
  const { tag, metadata, ...rest } = more;
  const known = optionalKinds.find((candidate) => candidate.kind === kind);
  const core: Record<string, string> = {
    ReplicaSet: "apps/v1",
    HorizontalPodAutoscaler: "autoscaling/v2",
    PodDisruptionBudget: "policy/v1",
  };
  return {
    apiVersion: known ? `${known.group}/${known.version}` : (core[kind] ?? "v1"),
    kind,
    metadata: { name, namespace: NAMESPACE, ...(tag ? { labels: { [labels.tag]: tag } } : {}), ...metadata },
    ...rest,
  } satisfies KubeObject;
}

describe("a new revision", () => {
  const target = echoTarget({ scale: { targetCPUUtilizationPercentage: 50 } });
  const configs = [configSource("Secret", "credentials")];
  const autoscaler = { type: "hpa", cpuPercent: 50, requestsRateMetric: "" } as const;
  const plan = echoRevision({ tag: "v1", target, configs, autoscaler });
  const app = appOf({
    revisions: [plan],
    configs: configs.map((source) => ({ source, tag: "v1" })),
    podDisruptionBudget: {},
  });
  const cluster = clusterOf({ revisions: [{ tag: "v1", initialReplicas: 3, bounds: { min: 1, max: 4 } }] });
  const entries = entriesOf(app, cluster);
  const entryOf = (text: string): Entry | undefined => entries[said(entries).indexOf(text)];
  const afterOf = (text: string): readonly string[] => {
    const entry = entryOf(text);
    return entry && "after" in entry ? (entry.after ?? []).map(describeRef) : [];
  };

  test("gets everything that it runs on", () => {
    expect(said(entries)).toEqual([
      "apply Namespace echo-production",
      "apply ServiceAccount echo",
      "apply Secret service-account-token",
      "apply Role echo-external-metrics",
      "apply RoleBinding echo-external-metrics-binding",
      "apply PodDisruptionBudget echo",
      "apply Secret credentials",
      "apply Service echo",
      "apply ReplicaSet v1",
      "apply HorizontalPodAutoscaler v1",
    ]);
  });

  test("its pods wait for their namespace, account and configs, its autoscaler for them", () => {
    expect(afterOf("apply ReplicaSet v1")).toEqual([
      "Namespace echo-production",
      "ServiceAccount echo-production/echo",
      "Secret echo-production/credentials",
    ]);
    expect(afterOf("apply HorizontalPodAutoscaler v1")).toEqual(["ReplicaSet echo-production/v1"]);
  });

  test("D-52: the token comes after its account", () => {
    expect(afterOf("apply Secret service-account-token")).toEqual(["ServiceAccount echo-production/echo"]);
  });

  test("the Secret's content is copied, not carried", () => {
    expect(entryOf("apply Secret credentials")).toMatchObject({
      copyOf: { ref: { namespace: "picchu", name: "credentials" }, hash: "hash-of-credentials" },
      object: { metadata: { labels: { [labels.tag]: "v1" } } },
    });
  });
});

describe("the route", () => {
  const route = {
    weights: [{ tag: "v1", percent: 100 }],
    tagged: [],
    subsets: [{ tag: "v1" }, { tag: "v2" }],
    isUrgent: false,
  };
  const routes = (entries: readonly Entry[]): readonly Entry[] =>
    entries.filter(({ ref }) => ["VirtualService", "DestinationRule"].includes(ref.kind.kind));

  test("comes after its subsets, and both are refused on an older version", () => {
    expect(routes(entriesOf(appOf(), clusterOf({ route })))).toMatchObject([
      { ref: { kind: { kind: "DestinationRule" } }, isFenced: true },
      {
        ref: { kind: { kind: "VirtualService" } },
        isFenced: true,
        after: [{ kind: { kind: "DestinationRule" } }, {}, {}],
      },
    ]);
  });

  test("that takes traffic from a failing revision goes first and waits for its subsets only", () => {
    const [rule, service] = routes(entriesOf(appOf(), clusterOf({ route: { ...route, isUrgent: true } })));
    expect(rule).toMatchObject({ priority: -1, after: [] });
    expect(service).toMatchObject({ priority: -1, after: [{ kind: { kind: "DestinationRule" } }] });
  });

  test("D-71: a cluster without Istio gets none, and everything else", () => {
    const entries = entriesOf(appOf(), clusterOf({ route, served: [] }));
    expect(routes(entries)).toEqual([]);
    expect(said(entries)).toContain("apply Service echo");
  });

  test("without a plan for it what is live is kept", () => {
    const owned = [live("VirtualService", "echo"), live("DestinationRule", "echo")];
    expect(said(routes(entriesOf(appOf(), clusterOf({ owned }))))).toEqual([
      "keep VirtualService echo",
      "keep DestinationRule echo",
    ]);
  });
});

describe("autoscalers of another kind go first", () => {
  const owned = [
    live("HorizontalPodAutoscaler", "v1", { tag: "v1" }),
    live("ScaledObject", "v1", { tag: "v1" }),
    live("TriggerAuthentication", "v1", { tag: "v1" }),
    live("WorkerPodAutoScaler", "v1", { tag: "v1" }),
    live("ConfigMap", "dd-cfg-v1", { tag: "v1" }),
  ];
  const ofScaling = (entries: readonly Entry[]): readonly Entry[] =>
    entries.filter(({ ref }) => /Autoscaler|AutoScaler|Scaled|Trigger|ReplicaSet|ConfigMap/.test(ref.kind.kind));

  test("replica-driven deletes autoscalers, then scales", () => {
    const app = appOf({ revisions: [echoRevision({ tag: "v1", isReplicaDriven: true })] });
    const revisions = [{ tag: "v1", initialReplicas: 2, scaleTo: 2 }];
    const entries = ofScaling(entriesOf(app, clusterOf({ revisions, owned })));
    expect(said(entries)).toEqual([
      "remove HorizontalPodAutoscaler v1",
      "remove WorkerPodAutoScaler v1",
      "remove ScaledObject v1",
      "remove TriggerAuthentication v1",
      "remove ConfigMap dd-cfg-v1",
      "apply ReplicaSet v1",
      "scale ReplicaSet v1 to 2",
    ]);
    expect(entries.at(-1)).toMatchObject({ after: [{}, {}, {}, {}, {}] });
  });

  test("not replica-driven creates the HPA, after the others are gone", () => {
    const autoscaler = { type: "hpa", cpuPercent: 50, requestsRateMetric: "" } as const;
    const app = appOf({ revisions: [echoRevision({ tag: "v1", autoscaler })] });
    const revisions = [{ tag: "v1", initialReplicas: 2, bounds: { min: 1, max: 2 } }];
    const entries = ofScaling(entriesOf(app, clusterOf({ revisions, owned })));
    expect(said(entries)).toEqual([
      "remove WorkerPodAutoScaler v1",
      "remove ScaledObject v1",
      "remove TriggerAuthentication v1",
      "remove ConfigMap dd-cfg-v1",
      "apply ReplicaSet v1",
      "apply HorizontalPodAutoscaler v1",
    ]);
  });

  test("D-61: without bounds there is no autoscaler", () => {
    const autoscaler = { type: "hpa", cpuPercent: 50, requestsRateMetric: "" } as const;
    const app = appOf({ revisions: [echoRevision({ tag: "v1", autoscaler })] });
    const entries = entriesOf(app, clusterOf({ revisions: [{ tag: "v1", initialReplicas: 0 }] }));
    expect(said(entries)).not.toContain("apply HorizontalPodAutoscaler v1");
  });

  test.each([
    {
      type: "wpa",
      scale: { worker: { queueUri: "q", targetMessagesPerWorker: 1, maxDisruption: "" } },
      objects: ["WorkerPodAutoScaler"],
    },
    {
      type: "keda",
      requestsRateMilli: 5000,
      scale: { kedaWorker: { triggers: [{ type: "datadog" }] } },
      objects: ["ConfigMap", "TriggerAuthentication", "DatadogMetric", "ScaledObject"],
    },
    { type: "ambient", requestsRateMilli: 5000, scale: { targetRequestsRate: "5" }, objects: ["ScaledObject"] },
  ] as const)("$type: $objects", ({ scale, objects, ...autoscaler }) => {
    const target = echoTarget({ scale: structuredClone(scale) as object });
    const app = appOf({ revisions: [echoRevision({ tag: "v1", target, autoscaler })] });
    const cluster = clusterOf({ revisions: [{ tag: "v1", initialReplicas: 1, bounds: { min: 0, max: 1 } }] });
    const kinds = entriesOf(app, cluster).map(({ ref }) => ref.kind.kind);
    expect(kinds.slice(kinds.indexOf("ReplicaSet") + 1)).toEqual(objects);
  });
});

describe("a tag that ends", () => {
  const ramping = { [annotations.autoscaler]: "hpa", [annotations.ramping]: "true", "someone/else": "stays" };
  const envFrom = [{ secretRef: { name: "shared" } }];
  const template = { spec: { containers: [{ name: "echo", envFrom }] } };
  const owned = [
    live("ReplicaSet", "v1", { tag: "v1", spec: { selector: {}, template } }),
    live("HorizontalPodAutoscaler", "v1", { tag: "v1" }),
    live("ScaledObject", "v1", { tag: "v1" }),
    live("Secret", "own", { tag: "v1" }),
    live("PrometheusRule", "echo-canary-v1", {
      metadata: {
        name: "echo-canary-v1",
        namespace: NAMESPACE,
        labels: { [labels.tag]: "v1", [labels.ruleType]: "canary" },
      },
    }),
  ];
  const endingOf = (ending: EndingPlan, objects: readonly KubeObject[] = owned): readonly Entry[] => {
    const names = new Set(objects.map((object) => object.metadata.name + object.kind));
    const entries = entriesOf(
      appOf({ routing: { ports: [], defaultIngressPorts: {}, faults: [] } }),
      clusterOf({ endings: [ending], owned: objects }),
    );
    return entries.filter(({ ref }) => names.has(ref.name + ref.kind.kind));
  };

  test("is kept while it drains", () => {
    const kept = endingOf({ tag: "v1", ending: "keep", because: "v1 drains" });
    expect(kept.every(({ verb }) => verb === "keep")).toBe(true);
    expect(kept).toHaveLength(owned.length);
  });

  test("retires: what would raise it goes before it is scaled to 0, the HPA and the rest stay", () => {
    expect(said(endingOf({ tag: "v1", ending: "retire", because: "v1 is retired", scaleTo: 0 }))).toEqual([
      "remove ScaledObject v1",
      "remove PrometheusRule echo-canary-v1",
      "scale ReplicaSet v1 to 0",
      "keep HorizontalPodAutoscaler v1",
      "keep Secret own",
    ]);
  });

  test("is deleted with everything that it had", () => {
    const gone = endingOf({ tag: "v1", ending: "delete", because: "v1 is deleting" });
    expect(gone.every(({ verb }) => verb === "remove")).toBe(true);
    expect(gone).toHaveLength(owned.length);
  });

  test("a config of it that another tag's pods read stays until they are gone", () => {
    const shared = live("Secret", "shared", { tag: "v2" });
    const ending = { tag: "v2", ending: "delete", because: "v2 is deleting" } as const;
    expect(said(endingOf(ending, [...owned, shared]))).toContain("keep Secret shared");
    expect(said(endingOf(ending, [shared]))).toEqual(["remove Secret shared"]);
  });

  test("failure during the ramp: the ramping annotation goes, replicas stay", () => {
    const metadata = { name: "v1", namespace: NAMESPACE, labels: { [labels.tag]: "v1" }, annotations: ramping };
    const [entry, ...others] = endingOf({ tag: "v1", ending: "keep", because: "v1 is failing" }, [
      live("ReplicaSet", "v1", { metadata, spec: { selector: {}, template, replicas: 7, minReadySeconds: 5 } }),
    ]);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ verb: "apply" });
    const { object } = entry as Extract<Entry, { verb: "apply" }>;
    expect(object.metadata.annotations).toEqual({ [annotations.autoscaler]: "hpa" });
    expect(object).toMatchObject({ spec: { minReadySeconds: 5 } });
  });
});

describe("what is no longer wanted", () => {
  const fate = (object: KubeObject, changes: Partial<AppPlan> = {}): string | undefined =>
    said(entriesOf(appOf(changes), clusterOf({ owned: [object] }))).at(-1);

  test.each([
    { object: live("Sidecar", "echo"), becomes: "remove Sidecar echo", why: "no egress hosts (D-55)" },
    { object: live("PrometheusRule", "echo"), becomes: "remove PrometheusRule echo", why: "no alert rules" },
    { object: live("ServiceMonitor", "old"), becomes: "remove ServiceMonitor old", why: "not listed (D-50)" },
    { object: live("Gateway", "waypoint"), becomes: "remove Gateway waypoint", why: "no ambient revision" },
    { object: live("ConfigMap", "waypoint-options"), becomes: "remove ConfigMap waypoint-options", why: "the same" },
    { object: live("Secret", "old", { tag: "gone" }), becomes: "remove Secret old", why: "its tag is gone" },
    { object: live("VirtualService", "echo"), becomes: "keep VirtualService echo", why: "it is never removed (D-55)" },
    { object: live("PodDisruptionBudget", "echo"), becomes: "keep PodDisruptionBudget echo", why: "no pods yet" },
    { object: live("ReplicaSet", "stray", { tag: "stray" }), becomes: "keep ReplicaSet stray", why: "unknown tag" },
  ])("$becomes: $why", ({ object, becomes }) => {
    expect(fate(object)).toBe(becomes);
  });

  test("the service level goes with the last objective, the shared namespace never", () => {
    const level = live("PrometheusServiceLevel", "echo-production-servicelevels");
    expect(fate(level)).toBe("remove PrometheusServiceLevel echo-production-servicelevels");
    const place = { apiVersion: "v1", kind: "Namespace", metadata: { name: "service-level-objectives" } };
    expect(fate(place)).toBe("keep Namespace service-level-objectives");
  });
});

test("every object of ours is spoken of exactly once as kept or removed, whatever it is", () => {
  const owned = optionalKinds.map(({ kind }) => live(kind, `some-${kind.toLowerCase()}`, { tag: "v9" }));
  const spoken = entriesOf(appOf(), clusterOf({ owned })).filter(({ verb }) => verb === "keep" || verb === "remove");
  expect(spoken.map(({ ref }) => describeRef(ref)).toSorted()).toEqual(
    owned
      .flatMap((object) => refOf(object) ?? [])
      .map(describeRef)
      .toSorted(),
  );
});

test("D-64: plans are left as they were", () => {
  const app = appOf({
    revisions: [echoRevision({ tag: "v1" })],
    mesh: { mode: "ambient", waypoint: { minReplicas: 2, maxReplicas: 20, targetCpuPercent: 70 } },
  });
  const cluster = clusterOf({ revisions: [{ tag: "v1", initialReplicas: 1 }] });
  const before = structuredClone({ app, cluster });
  buildEntries({ app, clusters: [cluster, cluster] });
  expect({ app, cluster }).toEqual(before);
});
