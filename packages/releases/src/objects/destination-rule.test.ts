import { expect, test } from "vitest";
import { echoApp } from "../../test/echo.ts";
import { expectGolden } from "../../test/golden.ts";
import { buildDestinationRule } from "./destination-rule.ts";

const trafficPolicy = { loadBalancer: { simple: "LEAST_REQUEST" }, connectionPool: { tcp: { connectTimeout: "3s" } } };

test("D-56: a subset per tag, sorted by tag", () =>
  expectGolden(buildDestinationRule(echoApp(), [{ tag: "v2", trafficPolicy }, { tag: "v1" }]), "destination-rule"));

test("D-18: an empty policy is none", () => {
  const { spec } = buildDestinationRule(echoApp(), [{ tag: "v1", trafficPolicy: {} }]);
  expect(spec?.["subsets"]).toEqual([{ name: "v1", labels: { "tag.picchu.medium.engineering": "v1" } }]);
});
