import { parseDuration, parseQuantity, qualifiedNameProblems, type ResourceRequirements } from "@chaski/kube";
import { annotations } from "../keys.ts";
import { type FieldProblem, forbidden, invalid } from "./field-problem.ts";
import type { TargetRule } from "./rule.ts";

const oneBudgetBound: TargetRule = {
  fields: ({ podDisruptionBudget }) => podDisruptionBudget,
  check: ({ podDisruptionBudget: { maxUnavailable, minAvailable } = {} }, path) =>
    isGiven(maxUnavailable) && isGiven(minAvailable)
      ? [invalid(`${path}.podDisruptionBudget`, "has both maxUnavailable and minAvailable: remove one of them")]
      : [],
};

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

const readableDoNotDisrupt: TargetRule = {
  fields: ({ karpenterDoNotDisrupt }) => karpenterDoNotDisrupt,
  check: ({ karpenterDoNotDisrupt: given = "" }, path) =>
    given === "" || given === "true" || parseDuration(given).ok
      ? []
      : [
          invalid(
            `${path}.karpenterDoNotDisrupt`,
            `${JSON.stringify(given)} is neither true nor a duration: write true, or a duration such as 30m`,
          ),
        ],
};

const oneDoNotDisrupt: TargetRule = {
  fields: ({ karpenterDoNotDisrupt, podAnnotations }) => [
    karpenterDoNotDisrupt,
    podAnnotations?.[annotations.doNotDisrupt],
  ],
  check: ({ karpenterDoNotDisrupt, podAnnotations = {} }, path) =>
    karpenterDoNotDisrupt && annotations.doNotDisrupt in podAnnotations
      ? [
          forbidden(
            `${path}.podAnnotations[${annotations.doNotDisrupt}]`,
            "is also said by karpenterDoNotDisrupt: remove the annotation",
          ),
        ]
      : [],
};

const saneWaypointResources: TargetRule = {
  fields: ({ waypointResources }) => waypointResources,
  check: ({ waypointResources }, path) =>
    waypointResources ? resourceProblems(waypointResources, `${path}.waypointResources`) : [],
};

const RESOURCE_FIELDS = new Set(["claims", "limits", "requests"]);

function resourceProblems(resources: ResourceRequirements, path: string): readonly FieldProblem[] {
  const { limits = {}, requests = {} } = resources;
  return [
    ...Object.keys(resources)
      .filter((field) => !RESOURCE_FIELDS.has(field))
      .map((field) => invalid(`${path}.${field}`, "is no field of resources: use limits or requests")),
    ...Object.entries(limits).flatMap(([name, amount]) => amountProblems(name, amount, `${path}.limits`)),
    ...Object.entries(requests).flatMap(([name, amount]) => amountProblems(name, amount, `${path}.requests`)),
    ...Object.entries(requests).flatMap(([name, amount]) =>
      excessProblems(amount, limits[name], `${path}.requests.${name}`),
    ),
  ];
}

const PLAIN_RESOURCES = /^(?:cpu|memory|ephemeral-storage|hugepages-\w+)$/;

function amountProblems(name: string, amount: string, path: string): readonly FieldProblem[] {
  const isName = PLAIN_RESOURCES.test(name) || (name.includes("/") && qualifiedNameProblems(name).length === 0);
  const quantity = parseQuantity(amount);
  return [
    ...(isName
      ? []
      : [invalid(`${path}.${name}`, "is no resource: use cpu, memory, ephemeral-storage or vendor.example/resource")]),
    ...(quantity.ok && quantity.value.nanos >= 0n
      ? []
      : [invalid(`${path}.${name}`, `${JSON.stringify(amount)} is no amount: write a quantity such as 100m or 1Gi`)]),
  ];
}

function excessProblems(request: string, limit: string | undefined, path: string): readonly FieldProblem[] {
  const [asked, allowed] = [parseQuantity(request), parseQuantity(limit ?? "")];
  if (limit === undefined || !asked.ok || !allowed.ok || asked.value.nanos <= allowed.value.nanos) return [];
  return [invalid(path, `requests ${request}, more than the limit of ${limit}: lower the request or raise the limit`)];
}

export const podRules: readonly TargetRule[] = [
  oneBudgetBound,
  readableDoNotDisrupt,
  oneDoNotDisrupt,
  saneWaypointResources,
];
