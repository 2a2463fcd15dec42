import { describe, expect, test } from "vitest";
import { checkMatchCondition, evaluateMatchConditions } from "./match-conditions.ts";

const variables = {
  object: { metadata: { name: "web", labels: { app: "shop" } }, spec: { replicas: 3 } },
  oldObject: null,
  request: { operation: "CREATE", userInfo: { username: "alice", groups: ["dev"] } },
};

function verdict(...expressions: string[]) {
  const conditions = expressions.map((expression, i) => ({ name: `c${i}`, expression }));
  return evaluateMatchConditions(conditions, variables);
}

describe("all conditions have to be true", () => {
  test.each([
    { expressions: [], result: { matches: true } },
    { expressions: ["object.spec.replicas > 2", "request.operation == 'CREATE'"], result: { matches: true } },
    { expressions: ["object.metadata.labels.app == 'x'"], result: { matches: false } },
    { expressions: ["oldObject == null", "'dev' in request.userInfo.groups"], result: { matches: true } },
    { expressions: ["object.spec.nothing == 1", "false"], result: { matches: false } },
    { expressions: ["object.spec.nothing == 1", "true"], result: { error: "No such key: nothing" } },
  ])("$expressions", ({ expressions, result }) => {
    expect(verdict(...expressions)).toEqual(result);
  });
});

test("expressions are checked before they are used", () => {
  expect(checkMatchCondition("object.spec.replicas > 2")).toBeUndefined();
  expect(checkMatchCondition("unknown > 2")).toContain("compilation failed");
  expect(checkMatchCondition("'text'")).toBe("must evaluate to bool");
});
