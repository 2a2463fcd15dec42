import { describe, expect, test } from "vitest";
import { configSource, echoApp, echoRevision, echoTarget } from "../../test/echo.ts";
import { expectGolden } from "../../test/golden.ts";
import type { RevisionPlan } from "../plan/plan.ts";
import { applyReplicaSet, buildReplicaSet } from "./replica-set.ts";

const ports = [
  { name: "http", mode: "private", containerPort: 8080 },
  { name: "status", mode: "local", containerPort: 4242 },
];

test("a plain revision", () => {
  const target = echoTarget({ ports, aws: { iam: { role_arn: "testrole" } } });
  return expectGolden(buildReplicaSet(echoApp(), echoRevision({ target })), "replica-set-plain");
});

test("a revision with everything", () => {
  const target = echoTarget({
    ports,
    aws: { iam: { role_arn: "testrole" } },
    scale: { minReadySeconds: 5, targetCPUUtilizationPercentage: 50 },
    env: [{ name: "LOG", value: "debug" }],
    volumes: [{ name: "scratch", emptyDir: {} }],
    volumeMounts: [{ name: "scratch", mountPath: "/scratch" }],
    resources: { requests: { cpu: "100m" }, limits: { memory: "1Gi" } },
    livenessProbe: { tcpSocket: { port: "http" } },
    lifecycle: { preStop: { sleep: { seconds: 5 } } },
    affinity: { podAntiAffinity: {} },
    priorityClassName: "system-cluster-critical",
    tolerations: [{ key: "spot", operator: "Exists" }],
    schedulerName: "packer",
    topologySpreadConstraint: {
      maxSkew: 1,
      topologyKey: "zone",
      whenUnsatisfiable: "DoNotSchedule",
      labelSelector: { matchLabels: { app: "echo" } },
    },
    podAnnotations: {
      "go.medium.engineering/PodTerminationGracePeriodSeconds": "90",
      "karpenter.sh/do-not-disrupt": "10m",
    },
    karpenterDoNotDisrupt: "30m",
    serviceAccountName: "echo",
    sidecars: [{ name: "proxy", image: "example/proxy", env: [{ name: "MINE" }], ports: [{ containerPort: 9000 }] }],
  });
  const configs = [
    configSource("Secret", "credentials"),
    configSource("ConfigMap", "settings"),
    configSource("ExternalSecret", "vault", { spec: { target: { name: "from-vault" } } }),
  ];
  const plan = echoRevision({ target, configs, isReplicaDriven: true });
  return expectGolden(buildReplicaSet(echoApp(), plan), "replica-set-full");
});

describe("annotations", () => {
  const annotationsOf = (plan: Partial<RevisionPlan>): unknown =>
    buildReplicaSet(echoApp(), echoRevision(plan)).metadata.annotations;
  const autoscaler = "picchu.medium.engineering/autoscaler";
  const worker = { queueUri: "sqs://q", targetMessagesPerWorker: 1, maxDisruption: "10%" };

  test.each([
    { autoscaled: "wpa", by: "a worker", scale: { worker } },
    { autoscaled: "keda", by: "KEDA", scale: { kedaWorker: { triggers: [] } } },
    { autoscaled: "hpa", by: "CPU", scale: { targetCPUUtilizationPercentage: 50 } },
    { autoscaled: "hpa", by: "nothing", scale: {} },
  ])("$autoscaled where $by scales", ({ autoscaled, scale }) => {
    expect(annotationsOf({ target: echoTarget({ scale }) })).toEqual({ [autoscaler]: autoscaled });
  });

  test("ramping annotation: on while it ramps by its ReplicaSet, otherwise absent", () => {
    const ramping = "picchu.medium.engineering/ramping";
    expect(annotationsOf({ isReplicaDriven: true })).toEqual({ [autoscaler]: "hpa", [ramping]: "true" });
    expect(annotationsOf({ isReplicaDriven: false })).not.toHaveProperty(ramping);
  });
});

describe("pods", () => {
  const podOf = (target: Parameters<typeof echoTarget>[0]) =>
    buildReplicaSet(echoApp(), echoRevision({ target: echoTarget(target) })).spec.template?.spec;

  test("ports that share a number are listed once, under the first name", () => {
    const shared = [
      { name: "http", mode: "public", containerPort: 8080 },
      { name: "status", mode: "local", containerPort: 8080 },
    ];
    const [container] = podOf({ ports: shared })?.containers ?? [];
    expect(container?.ports).toEqual([{ name: "http", protocol: "TCP", containerPort: 8080 }]);
    expect(container?.readinessProbe?.httpGet?.port).toBe("http");
  });

  test("a variable that is given twice has its last value", () => {
    const env = [
      { name: "A", value: "1" },
      { name: "B", value: "2" },
      { name: "A", value: "3" },
    ];
    expect(podOf({ env })?.containers[0]?.env).toEqual([
      { name: "B", value: "2" },
      { name: "A", value: "3" },
    ]);
  });

  test.each(["soon", "1.5", ""])("a termination grace period of %j is ignored", (value) => {
    const podAnnotations = { "go.medium.engineering/PodTerminationGracePeriodSeconds": value };
    expect(podOf({ podAnnotations })).not.toHaveProperty("terminationGracePeriodSeconds");
  });
});

test("replicas, selector and template are given once, at creation", () => {
  const target = echoTarget({ scale: { minReadySeconds: 5 } });
  const built = buildReplicaSet(echoApp(), echoRevision({ target }));
  const { object, initial } = applyReplicaSet(built, 3);
  const { minReadySeconds, ...once } = built.spec;
  expect(object).toEqual({ ...built, spec: { minReadySeconds } });
  expect(initial).toEqual({ spec: { ...once, replicas: 3 } });
});
