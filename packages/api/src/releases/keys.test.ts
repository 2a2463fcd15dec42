import { expect, test } from "vitest";
import { releaseKeys } from "./index.ts";

test("D-78: keys are API and stay as the replaced operator has them, mixed naming and all", () => {
  const { labels, annotations, finalizers } = releaseKeys;
  const ours = (name: string): string => `picchu.medium.engineering/${name}`;
  expect(labels).toEqual({
    app: ours("app"),
    tag: ours("tag"),
    target: ours("target"),
    fleet: ours("fleet"),
    ownerName: ours("ownerName"),
    ownerType: ours("ownerType"),
    ruleType: ours("ruleType"),
    ignore: ours("ignore"),
    podTag: "tag.picchu.medium.engineering",
  });
  expect(releaseKeys.fleetLabel("main")).toBe("fleet.picchu.medium.engineering/main");
  expect(releaseKeys.deletableLabel("production")).toBe("target-deletable.picchu.medium.engineering/production");
  expect(Object.values(finalizers).toSorted()).toEqual(
    ["cluster", "clustersecrets", "releasemanager"].map((name) => ours(name)),
  );
  expect(annotations).toMatchObject({
    committerTimestamp: "git-scm.com/committer-timestamp",
    failedAt: ours("failed-at-timestamp"),
    autoscaler: ours("autoscaler"),
    ramping: ours("ramping"),
    iamRole: "iam.amazonaws.com/role",
    roleArn: "eks.amazonaws.com/role-arn",
    doNotDisrupt: "karpenter.sh/do-not-disrupt",
    tolerateUnready: "ad.datadoghq.com/tolerate-unready",
    serviceAccountName: "kubernetes.io/service-account.name",
    terminationGracePeriod: "go.medium.engineering/PodTerminationGracePeriodSeconds",
  });
});
