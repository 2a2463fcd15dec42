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

test("what is not ours is not judged", () => {
  expect(lintText("pod.yaml", "apiVersion: v1\nkind: Pod\n")).toEqual([]);
});
