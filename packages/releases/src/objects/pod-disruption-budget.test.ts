import { expect, test } from "vitest";
import { echoApp } from "../../test/echo.ts";
import { expectGolden } from "../../test/golden.ts";
import { buildPodDisruptionBudget } from "./pod-disruption-budget.ts";

test("the default budget, with the app's labels (D-48)", () =>
  expectGolden(buildPodDisruptionBudget(echoApp(), {}), "pod-disruption-budget"));

test("a bound that is given is kept, a selector is not", () => {
  const selector = { matchLabels: { other: "app" } };
  expect(buildPodDisruptionBudget(echoApp(), { minAvailable: 2, selector }).spec).toEqual({
    minAvailable: 2,
    selector: { matchLabels: { "picchu.medium.engineering/app": "echo" } },
  });
});
