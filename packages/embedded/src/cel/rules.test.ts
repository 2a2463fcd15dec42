import { describe, expect, test } from "vitest";
import type { JsonObject } from "../schema/json.ts";
import { readSchema } from "../schema/read-structural.ts";
import { validateRules } from "./rules.ts";

const properties = {
  a: { type: "integer" },
  b: { type: "integer" },
  ratio: { type: "number" },
  name: { type: "string" },
  at: { type: "string", format: "date-time" },
  size: { "x-kubernetes-int-or-string": true },
  labels: { type: "object", additionalProperties: { type: "string" } },
  list: { type: "array", items: { type: "integer" } },
  ports: {
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["k"],
    items: { type: "object", properties: { k: { type: "string" }, v: { type: "integer" } } },
  },
  "with-dash": { type: "string" },
};

const value: JsonObject = {
  a: 1,
  b: 2,
  ratio: 1.5,
  name: "hello",
  at: "2026-01-31T12:00:00Z",
  size: "5%",
  labels: { x: "1" },
  list: [1, 2, 3],
  ports: [
    { k: "a", v: 1 },
    { k: "b", v: 2 },
  ],
  "with-dash": "d",
};

function problems(rule: object, spec: JsonObject = value, previous?: JsonObject): string[] {
  const schema = readSchema({
    type: "object",
    properties: { spec: { type: "object", properties, "x-kubernetes-validations": [rule] } },
  });
  return validateRules(schema, { value: { spec }, ...(previous && { previous: { spec: previous } }) }).map(
    ({ field, message }) => `${field}: ${message}`,
  );
}

describe("rules that hold", () => {
  test.each([
    "self.a < self.b && self.ratio > 1",
    "self.name.matches('^h.*o$') && self.name.size() == 5",
    "self.list.all(x, x > 0) && self.list.sum() == 6 && self.list.isSorted()",
    "self.labels.all(k, self.labels[k] != '') && 'x' in self.labels",
    "has(self.ports[0].v) && self.ports.exists(p, p.k == 'b' && p.v == 2)",
    "self.with__dash__dash == 'd'",
    "self.at > timestamp('2026-01-01T00:00:00Z')",
    "type(self.size) == string && self.size.endsWith('%')",
    "self.?labels[?'y'].orValue('none') == 'none'",
    "quantity('1Gi').isGreaterThan(quantity('1G'))",
    "cidr('10.0.0.0/8').containsIP('10.1.2.3') && ip('::1').isLoopback()",
    "url('https://host:1/p').getHost() == 'host:1'",
    "sets.equivalent(self.list, [3, 2, 1])",
    "'%s %d'.format([self.name, self.a]) == 'hello 1'",
    "self.name.find('l+') == 'll' && self.name.findAll('[eo]') == ['e', 'o']",
  ])("%s", (rule) => {
    expect(problems({ rule })).toEqual([]);
  });
});

describe("rules that do not hold", () => {
  test("say so in their own words", () => {
    expect(problems({ rule: "self.a > self.b" })).toEqual(["spec: Invalid value: failed rule: self.a > self.b"]);
    expect(problems({ rule: "self.a > self.b", message: "a must win" })).toEqual(["spec: Invalid value: a must win"]);
    expect(problems({ rule: "false", message: "x", messageExpression: "'a is ' + string(self.a)" })).toEqual([
      "spec: Invalid value: a is 1",
    ]);
    expect(problems({ rule: "false", message: "x", messageExpression: "string(1 / 0)" })).toEqual([
      "spec: Invalid value: x",
    ]);
  });

  test("name another field and reason if told to", () => {
    expect(problems({ rule: "false", message: "no", reason: "FieldValueForbidden", fieldPath: ".a" })).toEqual([
      "spec.a: Forbidden: no",
    ]);
  });

  test("fail by what can't be evaluated", () => {
    expect(problems({ rule: "self.a / 0 == 1" })).toEqual([
      'spec: Invalid value: "object": division by zero evaluating rule: self.a / 0 == 1',
    ]);
    expect(problems({ rule: "self.nothing == 1" })[0]).toContain("rule compile error: compilation failed");
  });
});

describe("transitions", () => {
  test("are judged on updates only", () => {
    const rule = { rule: "self.a >= oldSelf.a" };
    expect(problems(rule)).toEqual([]);
    expect(problems(rule, value, { ...value, a: 5 })).toHaveLength(1);
    expect(problems(rule, value, value)).toEqual([]);
  });

  test("with an optional old value are judged on creates too", () => {
    const rule = { rule: "oldSelf.hasValue() || self.a == 0", optionalOldSelf: true };
    expect(problems(rule)).toHaveLength(1);
    expect(problems(rule, value, value)).toEqual([]);
  });

  test("compare lists of type map in any order", () => {
    const ports = [
      { k: "b", v: 2 },
      { k: "a", v: 1 },
    ];
    expect(problems({ rule: "self.ports == oldSelf.ports" }, value, { ...value, ports })).toEqual([]);
  });
});

test("an update is not held to a rule over what it leaves alone", () => {
  expect(problems({ rule: "self.a > 5" }, value, value)).toEqual([]);
  expect(problems({ rule: "self.a > 5" }, value, { ...value, b: 9 })).toHaveLength(1);
});

describe("no rule hangs the process", () => {
  const list = Array.from({ length: 300 }, (_, i) => i);

  test("not by nesting loops", () => {
    const rule = "self.list.all(a, self.list.all(b, self.list.all(c, a + b + c >= 0)))";
    expect(problems({ rule }, { ...value, list })[0]).toContain("call cost exceeds limit for rule");
  });

  test("not by a pattern", () => {
    expect(problems({ rule: "!self.name.matches('^(a+)+$')" }, { ...value, name: `${"a".repeat(20_000)}!` })).toEqual(
      [],
    );
  });
});

test("fields named like JavaScript's own are data", () => {
  const schema = readSchema({
    type: "object",
    properties: {
      constructor: { type: "string" },
      __proto__x: { type: "string" },
      labels: { type: "object", additionalProperties: { type: "string" } },
    },
    "x-kubernetes-validations": [{ rule: "!('toString' in self.labels) && self.labels.size() == 1" }],
  });
  const value = JSON.parse('{"labels": {"__proto__": "x"}, "constructor": "y"}');
  expect(validateRules(schema, { value })).toEqual([]);
});
