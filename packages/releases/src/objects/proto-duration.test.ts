import { expect, test } from "vitest";
import { protoDuration } from "./proto-duration.ts";

test.each([
  { given: "3ms", json: "0.003s" },
  { given: "1.5s", json: "1.500s" },
  { given: "1m10s", json: "70s" },
  { given: "1020us", json: "0.001020s" },
  { given: "1s7ns", json: "1.000000007s" },
  { given: "0s", json: undefined },
  { given: "-1s", json: undefined },
  { given: "soon", json: undefined },
])("$given → $json", ({ given, json }) => {
  expect(protoDuration(given)).toBe(json);
});
