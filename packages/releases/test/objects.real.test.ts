// Every golden object, on a real API server with the upstream projects' own CRDs.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { KubeObject } from "@chaski/kube";
import { type CrdProject, upstreamCrds } from "@chaski/test/kube";
import { useControlPlane } from "@chaski/test/kube/vitest";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { GOLDEN_FOLDER } from "./golden.ts";

const plane = useControlPlane({ name: "objects" });

/** Of each project the files that are needed: with all of its neighbours the API server takes a gigabyte. */
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

const golden = readdirSync(GOLDEN_FOLDER)
  .toSorted()
  .map((file) => ({ file, object: parse(readFileSync(join(GOLDEN_FOLDER, file), "utf8")) as KubeObject }));

beforeAll(async () => {
  const files = await Promise.all(NEEDED.map(([project, pattern]) => needed(project, pattern)));
  const flags = files.flat().flatMap((file) => ["-f", file]);
  await plane.current.kubectl(["apply", "--server-side", ...flags]);
  await plane.current.kubectl(["wait", "--for=condition=Established", "--timeout=60s", ...flags]);
  const namespaces = new Set(golden.flatMap(({ object }) => object.metadata.namespace ?? []));
  for (const name of namespaces) {
    await plane.current.createIfMissing("/api/v1/namespaces", { metadata: { name } });
  }
});

async function needed(project: CrdProject, pattern: RegExp): Promise<string[]> {
  return (await upstreamCrds(project)).filter((file) => pattern.test(file));
}

test.each(golden)("$file is accepted as it is", async ({ file, object }) => {
  const args = ["--server-side", "--force-conflicts", "--validate=strict", "-f", join(GOLDEN_FOLDER, file)];
  await plane.current.kubectl(["apply", ...args]);
  const { namespace = "default" } = object.metadata;
  const read = await plane.current.kubectl(["get", "-n", namespace, "-o", "json", "-f", join(GOLDEN_FOLDER, file)]);
  expect(JSON.parse(read)).toMatchObject(object);
});
