import { describe, expect, test } from "vitest";
import { revisionWith } from "../../../test/revision.ts";
import type { RevisionTarget } from "../target.ts";
import { validateRevision } from "./validate-revision.ts";

const at = "spec.targets[0]";

interface Case {
  readonly rule: string;
  readonly target: Partial<RevisionTarget>;
  readonly path: string;
  readonly reason?: string;
}

const karpenter = "karpenter.sh/do-not-disrupt";
const flagged = [
  { name: "http", mode: "private", ingresses: ["private"], default: true },
  { name: "grpc", mode: "private", ingresses: ["private"], default: true },
];

/** One fault each. */
const cases: readonly Case[] = [
  {
    rule: "one bound of a budget",
    target: { podDisruptionBudget: { maxUnavailable: 1, minAvailable: "50%" } },
    path: `${at}.podDisruptionBudget`,
  },
  {
    rule: "scenario 3: karpenterDoNotDisrupt is true or a duration",
    target: { karpenterDoNotDisrupt: "not-a-duration" },
    path: `${at}.karpenterDoNotDisrupt`,
  },
  {
    rule: "scenario 3: karpenterDoNotDisrupt is said once",
    target: { karpenterDoNotDisrupt: "30m", podAnnotations: { [karpenter]: "true" } },
    path: `${at}.podAnnotations[${karpenter}]`,
    reason: "FieldValueForbidden",
  },
  { rule: "the strategy is known", target: { release: { scalingStrategy: "none" } }, path: "spec" },
  {
    rule: "D-32: one flagged port per ingress",
    target: { ports: flagged, defaultIngressPorts: { private: "http" } },
    path: `${at}.ports`,
  },
  { rule: "release.max is a percentage", target: { release: { max: 101 } }, path: `${at}.release.max` },
  {
    rule: "start is a percentage",
    target: { release: { geometricScaling: { start: 200 } } },
    path: `${at}.release.geometricScaling.start`,
  },
  {
    rule: "canary.percent is a percentage",
    target: { canary: { percent: 101, ttl: 60 } },
    path: `${at}.canary.percent`,
  },
  { rule: "canary.ttl is not negative", target: { canary: { percent: 10, ttl: -1 } }, path: `${at}.canary.ttl` },
  { rule: "release.ttl is above 0", target: { release: { ttl: 0 } }, path: `${at}.release.ttl` },
  {
    rule: "D-13: the factor is 2 or more",
    target: { release: { geometricScaling: { factor: 1 } } },
    path: `${at}.release.geometricScaling.factor`,
  },
  {
    rule: "the increment is 1 or more",
    target: { release: { linearScaling: { increment: 0 } } },
    path: `${at}.release.linearScaling.increment`,
  },
  { rule: "scale.min is at most scale.max", target: { scale: { min: 5, max: 4 } }, path: `${at}.scale.min` },
  { rule: "scale.min is at most 1 without a maximum", target: { scale: { min: 2 } }, path: `${at}.scale.min` },
  { rule: "scale.min is not negative", target: { scale: { min: -1, max: 4 } }, path: `${at}.scale.min` },
  { rule: "scale.max is not negative", target: { scale: { max: -1 } }, path: `${at}.scale.max` },
  {
    rule: "waypointResources names resources",
    target: { waypointResources: { limits: { cpus: "1" } } },
    path: `${at}.waypointResources.limits.cpus`,
  },
  {
    rule: "waypointResources has amounts",
    target: { waypointResources: { limits: { cpu: "much" } } },
    path: `${at}.waypointResources.limits.cpu`,
  },
  {
    rule: "waypointResources has limits and requests only",
    target: { waypointResources: { limit: { cpu: "1" } } as object },
    path: `${at}.waypointResources.limit`,
  },
  {
    rule: "waypointResources requests no more than its limit",
    target: { waypointResources: { limits: { cpu: "1" }, requests: { cpu: "1001m" } } },
    path: `${at}.waypointResources.requests.cpu`,
  },
  {
    rule: "reserved namespaces are refused",
    target: { name: "system" },
    path: `${at}.name`,
    reason: "FieldValueForbidden",
  },
];

function revisionOf({ rule, target }: Case) {
  const revision = revisionWith(target);
  const isNamespaceRule = rule.startsWith("reserved");
  const app = isNamespaceRule ? { ...revision.spec.app, name: "kube" } : revision.spec.app;
  return { ...revision, spec: { ...revision.spec, app } };
}

describe.each(cases)("$rule", (given) => {
  const revision = revisionOf(given);

  test("a new Revision is refused, with the path and the way out", () => {
    const { problems } = validateRevision(revision);
    expect(problems).toEqual([
      {
        path: given.path,
        reason: given.reason ?? "FieldValueInvalid",
        message: expect.stringContaining(": ") as string,
      },
    ]);
  });

  test("D-33: an update that leaves the field alone is warned about", () => {
    const update = { ...revision, spec: { ...revision.spec, failed: true } };
    expect(validateRevision(update, revision)).toMatchObject({ problems: [], warnings: [{ path: given.path }] });
  });

  test("D-33: an update that brings the fault in is refused", () => {
    const before = revisionWith();
    const same = { ...before, spec: { ...before.spec, app: revision.spec.app } };
    expect(validateRevision(revision, same).problems).toMatchObject([{ path: given.path }]);
  });
});

describe("scenario 2: ports and ingresses, without mutation", () => {
  const ports = [
    { name: "http", mode: "private", ingresses: ["private"] },
    { name: "grpc", mode: "private", ingresses: ["private"] },
    { name: "status", mode: "local" },
  ];
  const [status] = ports.slice(2);
  const causesOf = (target: Partial<RevisionTarget>): readonly string[] =>
    validateRevision(revisionWith(target)).problems.map(({ path, reason }) => `${reason} at ${path}`);

  test.each([
    { what: "no default", target: { ports }, causes: ["FieldValueRequired at spec", "FieldValueNotFound at spec"] },
    { what: "a default", target: { ports, defaultIngressPorts: { private: "http" } }, causes: [] },
    {
      what: "a default that is no port of the ingress",
      target: { ports, defaultIngressPorts: { private: "status" } },
      causes: ["FieldValueNotFound at spec"],
    },
    {
      what: "a default of an ingress without ports",
      target: { ports: status ? [status] : [], defaultIngressPorts: { local: "status" } },
      causes: ["FieldValueNotFound at spec"],
    },
    { what: "no ports", target: {}, causes: [] },
  ])("$what: $causes", ({ target, causes }) => {
    expect(causesOf(target)).toEqual(causes);
  });
});

describe("targets", () => {
  test("there is one", () => {
    const revision = revisionWith();
    const { problems } = validateRevision({ ...revision, spec: { ...revision.spec, targets: [] } });
    expect(problems).toMatchObject([{ path: "spec.targets", reason: "FieldValueRequired" }]);
  });

  test("each has a name of its own", () => {
    const twin = { name: "production", fleet: "other", scale: { max: 1 } };
    const { problems } = validateRevision(revisionWith({}, twin));
    expect(problems).toMatchObject([{ path: "spec.targets[1].name", reason: "FieldValueDuplicate" }]);
  });

  test("none takes the namespace of the Revision itself", () => {
    const revision = revisionWith();
    const { problems } = validateRevision({ ...revision, metadata: { name: "x", namespace: "echo-production" } });
    expect(problems).toMatchObject([{ path: "spec.targets[0].name" }]);
  });
});

test.each(["name", "tag"] as const)("app.%s never changes", (field) => {
  const before = revisionWith();
  const after = { ...before, spec: { ...before.spec, app: { ...before.spec.app, [field]: "other" } } };
  expect(validateRevision(after, before).problems).toMatchObject([{ path: `spec.app.${field}` }]);
});

test("all faults are told at once", () => {
  const { problems } = validateRevision(
    revisionWith({ karpenterDoNotDisrupt: "x", release: { max: 101, ttl: -1 }, scale: { min: 9, max: 1 } }),
  );
  expect(problems.map(({ path }) => path)).toEqual([
    `${at}.karpenterDoNotDisrupt`,
    `${at}.release.max`,
    `${at}.release.ttl`,
    `${at}.scale.min`,
  ]);
});

describe("what is fine", () => {
  test.each(["", "true", "30m"])("scenario 3: karpenterDoNotDisrupt %j", (karpenterDoNotDisrupt) => {
    expect(validateRevision(revisionWith({ karpenterDoNotDisrupt }))).toEqual({ problems: [], warnings: [] });
  });

  test("scale.min that is not given (D-20), a canary of nothing, the annotation without the field", () => {
    const target = { scale: { max: 3 }, canary: { percent: 0, ttl: 0 }, podAnnotations: { [karpenter]: "true" } };
    expect(validateRevision(revisionWith(target))).toEqual({ problems: [], warnings: [] });
  });
});

describe("warnings", () => {
  test.each([
    { what: "D-81: alert rules are legacy", target: { alertRules: [{ alert: "Down" }] }, path: `${at}.alertRules` },
    {
      what: "a delay that is none",
      target: { release: { linearScaling: { delay: "soon" } } },
      path: `${at}.release.linearScaling.delay`,
    },
    {
      what: "a rate that is none",
      target: { scale: { targetRequestsRate: "many" } },
      path: `${at}.scale.targetRequestsRate`,
    },
    { what: "a name that no namespace can have", target: { name: "Production" }, path: `${at}.name` },
  ])("$what", ({ target, path }) => {
    expect(validateRevision(revisionWith(target))).toMatchObject({ problems: [], warnings: [{ path }] });
  });
});
