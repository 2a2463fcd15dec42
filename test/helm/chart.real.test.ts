import { readFileSync } from "node:fs";
import { useControlPlane } from "@chaski/test/kube/vitest";
import { beforeAll, describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { ensureHelm, helm } from "./helm.ts";

const CHART = "charts/chaski";
const running = useControlPlane({ name: "chart" });
let path: string;

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; annotations?: Record<string, string> };
}

describe("the Helm chart", () => {
  beforeAll(async () => {
    path = await ensureHelm();
  }, 900_000);

  test("passes helm lint", () => {
    expect(helm(path, "lint", "--strict", CHART)).toContain("0 chart(s) failed");
  });

  test("renders, with its defaults, what config/ has", () => {
    const rendered = documents(
      helm(path, "template", "chaski", CHART, "--kube-version", "1.35", "--namespace", "chaski-system"),
    );
    for (const { metadata } of rendered.values()) delete metadata.annotations?.["helm.sh/resource-policy"];
    const installed = configured();
    expect([...rendered.keys()].toSorted()).toEqual([...installed.keys()].toSorted());
    for (const [key, manifest] of installed) expect(withoutEmptyAnnotations(rendered.get(key))).toEqual(manifest);
  });

  test("installs on a real API server, is upgraded and leaves its CRDs when it goes", async () => {
    const cluster = running.current;
    const kubectl = (args: readonly string[]): Promise<string> => cluster.kubectl(args);
    const at = ["--kubeconfig", cluster.admin.kubeconfigPath, "--namespace", "delivery"];
    helm(path, "install", "chaski", CHART, "--create-namespace", ...at);
    helm(path, "upgrade", "chaski", CHART, "--set", "replicas=3", "--set", "networkPolicy.enabled=false", ...at);
    expect(await kubectl(["-n", "delivery", "get", "deployment/chaski", "-o", "jsonpath={.spec.replicas}"])).toBe("3");
    expect(await kubectl(["-n", "delivery", "get", "networkpolicies", "-o", "name"])).toBe("");
    helm(path, "uninstall", "chaski", ...at);
    expect(await kubectl(["-n", "delivery", "get", "deployments", "-o", "name"])).toBe("");
    expect(await kubectl(["get", "crds", "-o", "name"])).toContain("canaries.canarycontroller.chaski.dev");
  });

  test.each([
    ["replicas=0", /replicas/],
    ["wings={none}", /wings/],
    ["image.name=x", /image/],
  ])("refuses the value %s and names it", (value, named) => {
    expect(() => helm(path, "template", "chaski", CHART, "--kube-version", "1.35", "--set", value)).toThrow(named);
  });
});

function configured(): ReadonlyMap<string, Manifest> {
  const { resources } = parse(readFileSync("config/kustomization.yaml", "utf8")) as { resources: readonly string[] };
  const files = resources.filter((file) => file !== "namespace.yaml");
  return documents(files.map((file) => readFileSync(`config/${file}`, "utf8")).join("---\n"));
}

function documents(text: string): ReadonlyMap<string, Manifest> {
  const manifests = parseAllDocuments(text).flatMap((document) => (document.toJS() as Manifest | null) ?? []);
  return new Map(manifests.map((manifest) => [`${manifest.kind}/${manifest.metadata.name}`, manifest]));
}

function withoutEmptyAnnotations(manifest: Manifest | undefined): Manifest | undefined {
  const isEmpty = manifest?.metadata.annotations && Object.keys(manifest.metadata.annotations).length === 0;
  if (manifest && isEmpty) delete manifest.metadata.annotations;
  return manifest;
}
