import { describe, expect, test } from "vitest";
import { type BatchPlan, batchTarget } from "./batch-targets.ts";

function targetsOf(plan: BatchPlan): number[] {
  return Array.from({ length: plan.totalBatches }, (_, index) => batchTarget(plan, index + 1));
}

describe("batch targets of the article", () => {
  test.each([
    { replicas: 4, totalBatches: 2, targets: [1, 4] },
    { replicas: 10, totalBatches: 3, targets: [1, 4, 10] },
    { replicas: 1, totalBatches: 1, targets: [1] },
    { replicas: 10, totalBatches: 1, targets: [10] },
    { replicas: 3, totalBatches: 5, targets: [1, 2, 3, 3, 3] },
    { replicas: 2, totalBatches: 5, targets: [1, 1, 1, 1, 2] },
    { replicas: 12, totalBatches: 8, targets: [1, 3, 5, 7, 9, 11, 12, 12] },
    { replicas: 8, totalBatches: 5, targets: [1, 3, 5, 7, 8] },
    { replicas: 0, totalBatches: 3, targets: [0, 0, 0] },
    { replicas: 100, totalBatches: 3, targets: [1, 34, 100] },
  ])("$replicas replicas in $totalBatches batches: $targets", ({ targets, ...plan }) => {
    expect(targetsOf({ ...plan, batchMode: "article" })).toEqual(targets);
  });
});

test("even batches divide what follows the first pod: 100 in 3 is 1, 51, 100", () => {
  expect(targetsOf({ replicas: 100, totalBatches: 3, batchMode: "even" })).toEqual([1, 51, 100]);
});

describe.each(["article", "even"] as const)("for 0–200 replicas in 1–60 batches, %s targets", (batchMode) => {
  const plans: BatchPlan[] = [];
  for (let replicas = 0; replicas <= 200; replicas++) {
    for (let totalBatches = 1; totalBatches <= 60; totalBatches++) plans.push({ replicas, totalBatches, batchMode });
  }

  test("never shrink, stay within the replicas and end at all of them", () => {
    const wrong = plans.filter((plan) => {
      const targets = targetsOf(plan);
      const shrinks = targets.some((target, index) => target < (targets[index - 1] ?? 0));
      return shrinks || targets.at(-1) !== plan.replicas || targets.some((target) => target > plan.replicas);
    });
    expect(wrong).toEqual([]);
  });
});
