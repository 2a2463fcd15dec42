import { type ClusterAccess, type CrdProject, upstreamCrds } from "@chaski/test/kube";

/** Of each project the files that are needed: with all of their neighbours the API server takes a gigabyte. */
const NEEDED: readonly (readonly [CrdProject, RegExp])[] = [
  ["istio", /./],
  ["keda", /scaledobjects|_triggerauthentications/],
  ["prometheus-operator", /prometheusrules|servicemonitors/],
  ["sloth", /./],
  ["external-secrets", /./],
  ["gateway-api", /_gateways/],
  ["datadog-operator", /datadogmetrics/],
  ["worker-pod-autoscaler", /./],
];

/** The upstream projects' own CRDs of every kind that a release writes. */
export async function installNeededCrds(
  cluster: ClusterAccess,
  isNeeded: (project: CrdProject) => boolean = () => true,
): Promise<void> {
  const projects = NEEDED.filter(([project]) => isNeeded(project));
  const files = await Promise.all(projects.map(([project, pattern]) => needed(project, pattern)));
  const flags = files.flat().flatMap((file) => ["-f", file]);
  await cluster.kubectl(["apply", "--server-side", ...flags]);
  await cluster.kubectl(["wait", "--for=condition=Established", "--timeout=60s", ...flags]);
}

async function needed(project: CrdProject, pattern: RegExp): Promise<string[]> {
  return (await upstreamCrds(project)).filter((file) => pattern.test(file));
}
