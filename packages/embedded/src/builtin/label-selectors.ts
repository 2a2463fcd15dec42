import { labelValueProblems, matchesLabels, qualifiedNameProblems, readLabelSelector } from "@chaski/kube";
import type { Cause } from "../schema/cause.ts";
import type { JsonObject } from "../schema/json.ts";
import { forbidden, required } from "../schema/field-error.ts";
import { invalidValue } from "./causes.ts";
import { objectAt, objectsAt, stringAt, stringsAt } from "../schema/fields.ts";
import { asText } from "../codec/text.ts";

const OPERATORS = ["DoesNotExist", "Exists", "In", "NotIn"];

export function validateLabelSelector(selector: JsonObject, field: string): Cause[] {
  const labels = Object.entries(objectAt(selector, "matchLabels") ?? {}).flatMap(([key, value]) => [
    ...qualifiedNameProblems(key).map((problem) => invalidValue(`${field}.matchLabels`, key, problem)),
    ...labelValueProblems(asText(value)).map((problem) => invalidValue(`${field}.matchLabels`, value, problem)),
  ]);
  return [
    ...labels,
    ...objectsAt(selector, "matchExpressions").flatMap((expression, index) =>
      validateExpression(expression, `${field}.matchExpressions[${index}]`),
    ),
  ];
}

function validateExpression(expression: JsonObject, field: string): Cause[] {
  const operator = stringAt(expression, "operator");
  const values = stringsAt(expression, "values");
  const key = stringAt(expression, "key");
  const problems = qualifiedNameProblems(key).map((problem) => invalidValue(`${field}.key`, key, problem));
  if (!OPERATORS.includes(operator))
    return [invalidValue(`${field}.operator`, operator, "not a valid selector operator"), ...problems];
  const isSet = operator === "In" || operator === "NotIn";
  if (isSet && values.length === 0)
    problems.unshift(required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
  if (!isSet && values.length > 0)
    problems.unshift(
      forbidden(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
    );
  return problems;
}

/** Whether the selector (its object form) selects these labels; an invalid one selects nothing. */
export function selects(selector: JsonObject, labels: JsonObject): boolean {
  const read = readLabelSelector(selector);
  return read.ok && matchesLabels(read.value, labels as Record<string, string>);
}

export function isEmptySelector(selector: JsonObject): boolean {
  const labels = Object.keys(objectAt(selector, "matchLabels") ?? {});
  return labels.length === 0 && objectsAt(selector, "matchExpressions").length === 0;
}
