import { expect, test } from "vitest";
import { echoApp } from "../../test/echo.ts";
import { expectGolden } from "../../test/golden.ts";
import { buildNamespace, buildServiceLevelsNamespace } from "./namespace.ts";

test("the target namespace", () => expectGolden(buildNamespace(echoApp()), "namespace"));

test("the namespace of the service levels", () =>
  expectGolden(buildServiceLevelsNamespace("service-level-objectives"), "service-levels-namespace"));

test.each([
  { mode: "sidecar", mesh: { "istio-injection": "enabled" } },
  { mode: "ambient", mesh: { "istio.io/dataplane-mode": "ambient", "istio.io/use-waypoint": "waypoint" } },
  { mode: "transition", mesh: { "istio-injection": "enabled", "istio.io/dataplane-mode": "ambient" } },
] as const)("D-51: labels in mode $mode", ({ mode, mesh }) => {
  expect(buildNamespace(echoApp({ mesh: { mode } })).metadata.labels).toEqual({
    "picchu.medium.engineering/ownerType": "releasemanager",
    "picchu.medium.engineering/ownerName": "echo-production",
    ...mesh,
  });
});
