import { expect, test } from "vitest";
import { lintText } from "./lint.ts";

const REVISION = `apiVersion: picchu.medium.engineering/v1alpha1
kind: Revision
metadata:
  name: echo-v1
spec:
  app: { name: echo, ref: main, tag: v1, image: example/echo }
  failed: false
  targets:
    - name: production
      fleet: production
      scale: { min: 9, max: 3 }
      karpenterDoNotDisrupt: 30m
      podAnnotations:
        karpenter.sh/do-not-disrupt: "true"
`;

test("a Revision's faults are told with their lines", () => {
  const findings = lintText("echo.yaml", REVISION).map(({ line, path }) => `${line} ${path}`);
  expect(findings).toEqual([
    "14 spec.targets[0].podAnnotations[karpenter.sh/do-not-disrupt]",
    "11 spec.targets[0].scale.min",
  ]);
});

const CANARY = `apiVersion: canarycontroller.chaski.dev/v1alpha1
kind: Canary
metadata: { name: shop }
spec:
  type: CanaryDeploy
  image: shop:2
  replicas: 3
  oldDeploymentName: shop-v1
  totalBatches: 0
  newDeploymentNmae: shop-v2
`;

test("a Canary's faults are told with their lines, and so is a field that does not exist", () => {
  const findings = lintText("shop.yaml", CANARY).map(({ line, path }) => `${line} ${path}`);
  expect(findings).toEqual(["9 spec.totalBatches", "10 spec.newDeploymentNmae"]);
});

test("of what is no YAML the first fault is told, and not what follows from it", () => {
  const findings = lintText("chart.yaml", "{{- if .Values.crds }}\napiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n");
  expect(findings).toMatchObject([{ line: 1 }]);
});

test("what is not ours is not judged", () => {
  expect(lintText("pod.yaml", "apiVersion: v1\nkind: Pod\n")).toEqual([]);
});
