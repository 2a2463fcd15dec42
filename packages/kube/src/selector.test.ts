import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formatLabelSelector,
  type LabelRequirements,
  matchesLabels,
  parseLabelSelector,
  readLabelSelector,
} from "./index.ts";

function selector(text: string): LabelRequirements {
  const parsed = parseLabelSelector(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

describe("the text of a label selector", () => {
  // The canonical column as Kubernetes 1.35 (k8s.io/apimachinery) prints it.
  test.each([
    { text: "", canonical: "" },
    { text: "tier=front,app=web", canonical: "app=web,tier=front" },
    { text: "app==web", canonical: "app==web" },
    { text: " app != web ", canonical: "app!=web" },
    { text: "app in (web, api,web)", canonical: "app in (api,web)" },
    { text: "app notin(a)", canonical: "app notin (a)" },
    { text: "app,!legacy", canonical: "app,!legacy" },
    { text: "a=,b", canonical: "a=,b" },
    { text: "a in (,x)", canonical: "a in (,x)" },
    { text: "a in ()", canonical: "a in ()" },
    { text: "in in (in,notin)", canonical: "in in (in,notin)" },
    { text: "example.com/tier=x", canonical: "example.com/tier=x" },
    { text: "size>3,size<9", canonical: "size>3,size<9" },
  ])("$text is canonically $canonical", ({ text, canonical }) => {
    expect(formatLabelSelector(selector(text))).toBe(canonical);
  });

  test.each([
    { text: "app=web,", problem: "expected: identifier after ','" },
    { text: "app=web tier=x", problem: "found 'tier', expected: ',' or 'end of string'" },
    { text: "=web", problem: "found '=', expected: identifier" },
    { text: "app in web", problem: "found 'web' expected: '('" },
    { text: "app in (web", problem: "expected: ',' or ')'" },
    { text: "app ~ web", problem: "found '~', expected: in, notin, =, ==, !=, <, >" },
    { text: "!app=web", problem: "found '=', expected: ',' or 'end of string'" },
    { text: "-app=web", problem: "name part must consist of alphanumeric characters" },
    { text: "app=we b", problem: "found 'b'" },
    { text: "app=-", problem: "a valid label must be an empty string or consist of" },
    { text: "size>big", problem: "the value must be an integer" },
  ])("$text is refused", ({ text, problem }) => {
    expect(parseLabelSelector(text)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
  });
});

test.each([
  { text: "", labels: {}, isMatch: true },
  { text: "app=web", labels: { app: "web", tier: "x" }, isMatch: true },
  { text: "app=web", labels: {}, isMatch: false },
  { text: "app!=web", labels: {}, isMatch: true },
  { text: "app!=web", labels: { app: "web" }, isMatch: false },
  { text: "app in (web,api)", labels: { app: "api" }, isMatch: true },
  { text: "app notin (web)", labels: {}, isMatch: true },
  { text: "app", labels: { app: "" }, isMatch: true },
  { text: "!app", labels: { app: "" }, isMatch: false },
  { text: "toString", labels: {}, isMatch: false },
  { text: "size>3", labels: { size: "10" }, isMatch: true },
  { text: "size<3", labels: { size: "many" }, isMatch: false },
  { text: "app=web,tier", labels: { app: "web" }, isMatch: false },
])("$text on $labels: $isMatch", ({ text, labels, isMatch }) => {
  expect(matchesLabels(selector(text), labels)).toBe(isMatch);
});

describe("the object form of a label selector", () => {
  test("is the conjunction of its labels and expressions", () => {
    const read = readLabelSelector({
      matchLabels: { tier: "front", app: "web" },
      matchExpressions: [
        { key: "region", operator: "In", values: ["eu", "af"] },
        { key: "legacy", operator: "DoesNotExist" },
        { key: "build", operator: "Exists" },
        { key: "phase", operator: "NotIn", values: ["old"] },
      ],
    });
    expect(read.ok && formatLabelSelector(read.value)).toBe(
      "app=web,build,!legacy,phase notin (old),region in (af,eu),tier=front",
    );
  });

  test.each([
    { operator: "Equals", values: ["x"], problem: '"Equals" is not a valid label selector operator' },
    { operator: "In", values: [], problem: "values set can't be empty" },
    { operator: "Exists", values: ["x"], problem: "values set must be empty" },
    { operator: "In", values: ["a b"], problem: 'value "a b" of app' },
  ])("refuses $operator with $values", ({ operator, values, problem }) => {
    expect(readLabelSelector({ matchExpressions: [{ key: "app", operator, values }] })).toEqual({
      ok: false,
      problem: expect.stringContaining(problem),
    });
  });
});

test("a selector means the same after it was printed and read", () => {
  const words = fc.constantFrom("a", "b", "c", "1", "2", "in");
  const labels = fc.dictionary(words, words);
  const requirement = fc.oneof(
    fc.tuple(words, fc.constantFrom("=", "==", "!="), words).map((parts) => parts.join("")),
    fc.tuple(words, fc.constantFrom("in", "notin"), fc.array(words)).map(([key, op, list]) => `${key} ${op} (${list})`),
    words,
    words.map((key) => `!${key}`),
  );
  fc.assert(
    fc.property(fc.array(requirement), labels, (terms, some) => {
      const once = selector(terms.join(","));
      const again = selector(formatLabelSelector(once));
      expect(again).toEqual(once);
      expect(matchesLabels(again, some)).toBe(terms.every((term) => matchesLabels(selector(term), some)));
    }),
  );
});

test("no text makes the parser throw", () => {
  const nearly = fc
    .array(fc.constantFrom("a", "in", "(", ")", ",", "!", "=", "==", " ", ">"))
    .map((parts) => parts.join(""));
  fc.assert(fc.property(fc.oneof(fc.string(), nearly), (text) => void parseLabelSelector(text)));
});
