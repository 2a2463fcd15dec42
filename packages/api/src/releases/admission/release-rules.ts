import type { RevisionTarget } from "../target.ts";
import { type FieldProblem, invalid } from "./field-problem.ts";
import type { TargetRule } from "./rule.ts";

const knownStrategy: TargetRule = {
  fields: ({ release }) => release?.scalingStrategy,
  check: ({ release }, path) => {
    const strategy = release?.scalingStrategy ?? "";
    if (["", "linear", "geometric"].includes(strategy)) return [];
    const place = `${path}.release.scalingStrategy`;
    return [
      invalid("spec", `${place}: ${JSON.stringify(strategy)} is no strategy: use linear or geometric, or leave it out`),
    ];
  },
};

interface Range {
  /** Below the target. */
  readonly field: string;
  readonly value: (target: RevisionTarget) => number | null | undefined;
  readonly min: number;
  readonly max?: number;
  readonly wayOut: string;
}

const PERCENT = { min: 0, max: 100, wayOut: "use a percentage from 0 to 100" };

const RANGES: readonly Range[] = [
  { field: "release.max", value: ({ release }) => release?.max, ...PERCENT },
  { field: "release.geometricScaling.start", value: ({ release }) => release?.geometricScaling?.start, ...PERCENT },
  { field: "canary.percent", value: ({ canary }) => canary?.percent, ...PERCENT },
  {
    field: "release.geometricScaling.factor",
    value: ({ release }) => release?.geometricScaling?.factor,
    min: 2,
    wayOut: "use 2 or more: with less the traffic would never grow",
  },
  {
    field: "release.linearScaling.increment",
    value: ({ release }) => release?.linearScaling?.increment,
    min: 1,
    max: 100,
    wayOut: "use 1 to 100: with 0 the traffic would never grow",
  },
  {
    field: "release.ttl",
    value: ({ release }) => release?.ttl,
    min: 1,
    wayOut: "use a number of seconds above 0, or leave it out for five days",
  },
  {
    field: "canary.ttl",
    value: ({ canary }) => canary?.ttl,
    min: 0,
    wayOut: "use a number of seconds, or 0 for no canary",
  },
  { field: "scale.min", value: ({ scale }) => scale?.min, min: 0, wayOut: "use 0 or more" },
  { field: "scale.max", value: ({ scale }) => scale?.max, min: 0, wayOut: "use 1 or more" },
  { field: "scale.default", value: ({ scale }) => scale?.default, min: 0, wayOut: "use 0 or more" },
];

function rangeRule({ field, value, min, max = Number.POSITIVE_INFINITY, wayOut }: Range): TargetRule {
  return {
    fields: value,
    check: (target, path): readonly FieldProblem[] => {
      const given = value(target);
      const isFine = given === undefined || given === null || (given >= min && given <= max);
      return isFine ? [] : [invalid(`${path}.${field}`, `is ${given}: ${wayOut}`)];
    },
  };
}

/** A maximum that is not given is 1. */
const minimumWithinMaximum: TargetRule = {
  fields: ({ scale }) => [scale?.min, scale?.max],
  check: ({ scale }, path) => {
    const { min, max: given } = scale ?? {};
    const max = given || 1;
    if (min === undefined || min === null || min <= max) return [];
    const whatIs = given ? `scale.max is ${given}` : "scale.max is not given and so 1";
    return [invalid(`${path}.scale.min`, `is ${min}, but ${whatIs}: raise scale.max or lower scale.min`)];
  },
};

export const releaseRules: readonly TargetRule[] = [knownStrategy, ...RANGES.map(rangeRule), minimumWithinMaximum];
