import { expect, test } from "vitest";
import type { ReleaseManager } from "../release-manager.ts";
import { deletionProblems } from "./release-manager-deletion.ts";

function releaseManager(currentPercent: number, annotations: Record<string, string> = {}): ReleaseManager {
  const state = { current: "released", target: "released" };
  const entry = { tag: "v1", state, currentPercent, peakPercent: 100, releaseEligible: true, lastUpdated: null };
  return {
    apiVersion: "picchu.medium.engineering/v1alpha1",
    kind: "ReleaseManager",
    metadata: { name: "echo-production", annotations },
    spec: { app: "echo", target: "production", fleet: "production" },
    status: { lastUpdated: null, revisions: [entry] },
  };
}

test("D-83: what has traffic is not deleted by accident", () => {
  expect(deletionProblems(releaseManager(100))).toMatchObject([{ message: expect.stringContaining("v1") as string }]);
  expect(deletionProblems(releaseManager(100, { "chaski.dev/allow-delete": "true" }))).toEqual([]);
  expect(deletionProblems(releaseManager(0))).toEqual([]);
});
