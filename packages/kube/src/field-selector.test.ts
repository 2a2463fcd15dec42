import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type FieldRequirement, formatFieldSelector, matchesFields, parseFieldSelector } from "./index.ts";

describe("a field selector", () => {
  test.each([
    { text: "", canonical: "" },
    { text: "status.phase!=Running,metadata.name==web", canonical: "metadata.name=web,status.phase!=Running" },
    { text: String.raw`a=x\,y\=z\\`, canonical: String.raw`a=x\,y\=z\\` },
    { text: "a=,,=", canonical: "a=" },
  ])("$text is canonically $canonical", ({ text, canonical }) => {
    const parsed = parseFieldSelector(text);
    expect(parsed.ok && formatFieldSelector(parsed.value)).toBe(canonical);
  });

  test.each([{ text: "name" }, { text: "a=b=c" }, { text: String.raw`a=\x` }, { text: "a=\\" }])(
    "$text is refused",
    ({ text }) => {
      expect(parseFieldSelector(text)).toEqual({ ok: false, problem: expect.stringContaining("can't understand") });
    },
  );

  test.each([
    { text: "metadata.name=web", isMatch: true },
    { text: "metadata.name!=web", isMatch: false },
    { text: "spec.nodeName=", isMatch: true },
    { text: "metadata.name=web,spec.nodeName=n1", isMatch: false },
  ])("$text on an object named web without a node: $isMatch", ({ text, isMatch }) => {
    const parsed = parseFieldSelector(text);
    const fields: Record<string, string> = { "metadata.name": "web" };
    expect(parsed.ok && matchesFields(parsed.value, (field) => fields[field])).toBe(isMatch);
  });

  test("carries any value", () => {
    fc.assert(
      fc.property(fc.string(), fc.boolean(), (value, isEqual) => {
        const requirements: FieldRequirement[] = [{ field: "metadata.name", isEqual, value }];
        expect(parseFieldSelector(formatFieldSelector(requirements))).toEqual({ ok: true, value: requirements });
      }),
    );
  });
});
