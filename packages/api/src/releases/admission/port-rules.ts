import type { PortInfo } from "../port.ts";
import type { RevisionTarget } from "../target.ts";
import { type FieldProblem, invalid, notFound, required } from "./field-problem.ts";
import { ingressBuckets } from "./ingress-ports.ts";
import type { TargetRule } from "./rule.ts";

const fields: TargetRule["fields"] = ({ ports, defaultIngressPorts }) => [ports, defaultIngressPorts];

/** Every ingress that ports name has a default port, one of those ports. */
const everyIngressHasDefault: TargetRule = {
  fields,
  check: ({ ports = [], defaultIngressPorts: defaults }, path) =>
    [...ingressBuckets(ports)].flatMap(([ingress, bucket]) => defaultProblems({ ingress, bucket, defaults, path })),
};

interface IngressDefault {
  readonly ingress: string;
  readonly bucket: readonly PortInfo[];
  readonly defaults: RevisionTarget["defaultIngressPorts"];
  readonly path: string;
}

/** The API is that these stand at `spec`; the message names the place. */
function defaultProblems({ ingress, bucket, defaults, path }: IngressDefault): readonly FieldProblem[] {
  const names = bucket.map(({ name }) => name);
  const place = `${path}.defaultIngressPorts`;
  const wayOut = `set ${place}.${ingress} to one of ${names.join(", ")}`;
  const given = defaults?.[ingress];
  const isMissing = defaults === undefined || Object.keys(defaults).length === 0;
  return [
    ...(isMissing
      ? [required("spec", `${place} is not given, so ingress ${ingress} has no default port: ${wayOut}`)]
      : []),
    ...(given === undefined || !names.includes(given)
      ? [notFound("spec", `${place}.${ingress} is ${describe(given)}, no port of that ingress: ${wayOut}`)]
      : []),
  ];
}

function describe(given: string | undefined): string {
  return given === undefined ? "not given" : JSON.stringify(given);
}

const everyDefaultHasIngress: TargetRule = {
  fields,
  check: ({ ports = [], defaultIngressPorts: defaults = {} }, path) => {
    const buckets = ingressBuckets(ports);
    return Object.keys(defaults)
      .filter((ingress) => !buckets.has(ingress))
      .map((ingress) => {
        const place = `${path}.defaultIngressPorts.${ingress}`;
        return notFound(
          "spec",
          `${place}: no port names ingress ${ingress}: remove it, or add ${ingress} to the ingresses of a port`,
        );
      });
  },
};

const oneFlagPerIngress: TargetRule = {
  fields,
  check: ({ ports = [] }, path) =>
    [...ingressBuckets(ports)].flatMap(([ingress, bucket]) => {
      const flagged = bucket.filter((port) => port.default).map(({ name }) => name);
      if (flagged.length < 2) return [];
      return [
        invalid(
          `${path}.ports`,
          `ports ${flagged.join(" and ")} are both the default of ingress ${ingress}: leave \`default: true\` on one of them`,
        ),
      ];
    }),
};

export const portRules: readonly TargetRule[] = [everyIngressHasDefault, everyDefaultHasIngress, oneFlagPerIngress];
