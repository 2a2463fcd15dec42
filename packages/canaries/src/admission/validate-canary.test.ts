import type { Canary, CanarySpec } from "@chaski/api";
import type { Admission } from "@chaski/runtime";
import { expect, test } from "vitest";
import { validateCanary } from "./validate-canary.ts";

const SPEC: CanarySpec = {
  type: "CanaryDeploy",
  image: "shop:2",
  oldDeploymentName: "shop-v1",
  newDeploymentName: "shop-v2",
  replicas: 4,
  totalBatches: 2,
};

async function isDeletionAllowed(spec: CanarySpec, propagation: Admission<Canary>["propagation"]): Promise<boolean> {
  const metadata = { namespace: "prod", name: "shop" };
  const old: Canary = { apiVersion: "canarycontroller.chaski.dev/v1alpha1", kind: "Canary", metadata, spec };
  const { verdict } = await validateCanary.review({
    ...metadata,
    old,
    propagation,
    operation: "DELETE",
    object: undefined,
    user: {},
    subresource: undefined,
    isDryRun: false,
    signal: new AbortController().signal,
  });
  return verdict.isAllowed;
}

test.each([
  { deletionPolicy: undefined, propagation: "Foreground", isAllowed: false },
  { deletionPolicy: "Retain", propagation: "Foreground", isAllowed: false },
  { deletionPolicy: "Retain", propagation: "Background", isAllowed: true },
  { deletionPolicy: "Retain", propagation: "Orphan", isAllowed: true },
  { deletionPolicy: "Retain", propagation: undefined, isAllowed: true },
  { deletionPolicy: "Delete", propagation: "Foreground", isAllowed: true },
] as const)("a $propagation deletion with policy $deletionPolicy: $isAllowed", async (row) => {
  const spec = row.deletionPolicy === undefined ? SPEC : { ...SPEC, deletionPolicy: row.deletionPolicy };
  expect(await isDeletionAllowed(spec, row.propagation)).toBe(row.isAllowed);
});
