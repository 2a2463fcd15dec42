import { expect, test } from "vitest";
import { canary, canaryDeploy, deployment } from "../../test/builders.ts";
import { ModelCluster } from "../../test/model-cluster.ts";
import { edit, pair, settle } from "../../test/settle.ts";
import { decideCanary } from "./decide-canary.ts";

const deployed = new ModelCluster(canary({ type: "NormalDeploy", image: "shop:1", newDeploymentName: "shop-v1" }));
settle(deployed);
const foreign = new ModelCluster(deployed.canary, deployment("shop-v1", { replicas: 1 }));

test.each([
  { what: "that an earlier release has made is only scaled", cluster: deployed, verbs: ["scale"] },
  { what: "that is not ours yet is adopted, and scaled", cluster: foreign, verbs: ["apply", "scale"] },
])("an older Deployment $what", ({ cluster, verbs }) => {
  edit(cluster, canaryDeploy({ replicas: 1, totalBatches: 1 }).spec);
  const entries = decideCanary(cluster.world()).desired.flatMap((desired) => desired.entries);
  expect(entries.filter(({ ref }) => ref.name === "shop-v1").map(({ verb }) => verb)).toEqual(verbs);
  settle(cluster);
  expect(pair(cluster)).toBe("v2 1 × shop:2");
});
