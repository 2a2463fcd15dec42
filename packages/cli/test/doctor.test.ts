// `doctor`: what is wrong with an installation, each finding with its fix.
import { Cluster } from "@chaski/api";
import { ClusterRoleBinding, Lease, Namespace, Secret, ServiceAccount } from "@chaski/kube";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CliStage, cliStage } from "./stage.ts";

let stage: CliStage;
beforeAll(async () => {
  stage = await cliStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

test("tells what is missing, each with its fix", async () => {
  const [code, output] = await stage.chaski("doctor");
  expect(code).toBe(0);
  expect(output).toContain("✓ delivery cluster: answers as Kubernetes");
  expect(output.match(/✓ CRD \w+: is installed/g)).toHaveLength(7);
  expect(output).toMatch(/! rights: .* is not installed; you yourself have all of its \d+ rights/);
  expect(output).toMatch(/! fleet: no enabled Cluster in namespace default\n {2}→ /);
});

test("an operator's account that lacks rights is told which", async () => {
  const { client } = stage;
  const metadata = { name: "chaski", namespace: "chaski-system" };
  await client.of(Namespace).create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "chaski-system" } });
  await client.of(ServiceAccount).create({ apiVersion: "v1", kind: "ServiceAccount", metadata });
  expect((await stage.chaski("doctor"))[1]).toMatch(/✓ rights: the operator's account has all of its \d+ rights/);
  await client.of(ServiceAccount).delete(metadata);
});

test("an operator is found wherever it is installed", async () => {
  const { client } = stage;
  const metadata = { name: "chaski", namespace: "default" };
  const renewTime = new Date().toISOString().replace("Z", "000Z");
  const subjects = [{ kind: "ServiceAccount", ...metadata }];
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "chaski" };
  const rbac = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRoleBinding" } as const;
  await client.of(ServiceAccount).create({ apiVersion: "v1", kind: "ServiceAccount", metadata });
  await client.of(ClusterRoleBinding).create({ ...rbac, metadata: { name: "chaski" }, roleRef, subjects });
  const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease" } as const;
  await client.of(Lease).create({ ...lease, metadata, spec: { holderIdentity: "pod-1", renewTime } });
  const [, output] = await stage.chaski("doctor");
  expect(output).toMatch(/✓ rights: the operator's account has all of its \d+ rights/);
  expect(output).toContain("✓ operator: pod-1 leads, by the lease in namespace default");
  expect((await stage.chaski("uninstall"))[1]).toContain("would remove ServiceAccount default/chaski");
  await client.of(Lease).create({
    ...lease,
    metadata: { ...metadata, namespace: "kube-system" },
    spec: { holderIdentity: "pod-2", renewTime },
  });
  expect((await stage.chaski("doctor"))[1]).toContain("and so does another elsewhere");
});

test("a cluster that does not answer is broken", async () => {
  const config = { server: "https://127.0.0.1:1", "certificate-authority-data": "" };
  const ingress = { dnsName: "", defaultDomains: [] };
  const metadata = { name: "dead", namespace: "default" };
  await stage.client.of(Cluster).create({
    apiVersion: "picchu.medium.engineering/v1alpha1",
    kind: "Cluster",
    metadata,
    spec: { enabled: true, config, ingresses: { public: ingress, private: ingress } },
  });
  const data = { "auth-info": Buffer.from('{"token":"x"}').toString("base64") };
  await stage.client.of(Secret).create({ apiVersion: "v1", kind: "Secret", metadata, data });
  const [code, output] = await stage.chaski("doctor");
  expect([code, output]).toEqual([1, expect.stringMatching(/✗ cluster dead: .*does not answer/)]);
});
