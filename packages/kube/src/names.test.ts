import { describe, expect, test } from "vitest";
import {
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  labelValueProblems,
  qualifiedNameProblems,
} from "./index.ts";

const rules = {
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  labelValueProblems,
  qualifiedNameProblems,
};

describe("a valid name has no problems", () => {
  test.each([
    { rule: "dns1123LabelProblems", names: ["a", "web", "1-a", "a".repeat(63)] },
    { rule: "dns1123SubdomainProblems", names: ["web", "a.b-c.d1", "a".repeat(253)] },
    { rule: "dns1035LabelProblems", names: ["a", "web-1"] },
    { rule: "qualifiedNameProblems", names: ["app", "App_1.x", "example.com/app", `${"a".repeat(253)}/x`] },
    { rule: "labelValueProblems", names: ["", "web", "A_b.c-1", "a".repeat(63)] },
  ] as const)("$rule: $names", ({ rule, names }) => {
    expect(names.flatMap((name) => rules[rule](name))).toEqual([]);
  });
});

describe("an invalid name gets Kubernetes' own words", () => {
  test.each([
    {
      rule: "dns1123LabelProblems",
      name: "Web",
      problems: [
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end " +
          "with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is " +
          "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      ],
    },
    { rule: "dns1123LabelProblems", name: "a.b", problems: ["must not contain dots"] },
    { rule: "dns1123LabelProblems", name: "a".repeat(64), problems: ["must be no more than 63 bytes"] },
    {
      rule: "dns1123SubdomainProblems",
      name: "a..b",
      problems: [
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must " +
          "start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
          String.raw`'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
    },
    { rule: "dns1035LabelProblems", name: "1a", problems: [expect.stringMatching(/^a DNS-1035 label must consist/)] },
    {
      rule: "qualifiedNameProblems",
      name: "/",
      problems: [
        "prefix part must be non-empty",
        "name part must be non-empty",
        expect.stringMatching(/^name part must consist of alphanumeric characters/),
      ],
    },
    {
      rule: "qualifiedNameProblems",
      name: "a/b/c",
      problems: [expect.stringMatching(/^a valid label key must consist/)],
    },
    { rule: "qualifiedNameProblems", name: "X.y/b", problems: [expect.stringMatching(/^prefix part a lowercase RFC/)] },
    { rule: "labelValueProblems", name: "a b", problems: [expect.stringMatching(/^a valid label must be an empty/)] },
    {
      rule: "labelValueProblems",
      name: "ä".repeat(32),
      problems: [expect.stringMatching("63 bytes"), expect.anything()],
    },
    { rule: "dns1123LabelProblems", name: "web\n", problems: [expect.stringMatching(/^a lowercase RFC 1123 label/)] },
  ] as const)("$rule: $name", ({ rule, name, problems }) => {
    expect(rules[rule](name)).toEqual(problems);
  });
});
