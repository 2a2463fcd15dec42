// The six kinds on a real API server.
import { useControlPlane } from "@chaski/test/kube/vitest";
import { beforeAll, describe, expect, test } from "vitest";
import { crdOf, releaseResources, revisionMatchConditions } from "../src/index.ts";
import { manifests, revision } from "./picchu-manifests.ts";

const plane = useControlPlane({ name: "release-crds" });
const NAMESPACE = "default";

async function apply(object: unknown): Promise<string> {
  const args = ["apply", "-n", NAMESPACE, "--server-side", "--force-conflicts", "--validate=strict", "-f", "-"];
  return await plane.current.kubectl(args, { input: JSON.stringify(object) });
}

beforeAll(async () => {
  const input = JSON.stringify({ apiVersion: "v1", kind: "List", items: releaseResources.map(crdOf) });
  await plane.current.kubectl(["apply", "--server-side", "--validate=strict", "-f", "-"], { input });
  await plane.current.kubectl(["wait", "--for=condition=Established", "--timeout=60s", "-f", "-"], { input });
});

test.each(manifests)("D-45: a $kind keeps every field that was written", async (manifest) => {
  await apply(manifest);
  const { kind, metadata } = manifest;
  const read = await plane.current.kubectl(["get", kind, metadata.name, "-n", NAMESPACE, "-o", "json"]);
  expect((JSON.parse(read) as typeof manifest).spec).toEqual(manifest.spec);
});

test("they have short names, columns and a category", async () => {
  await apply(revision);
  const table = await plane.current.kubectl(["get", "rev", "-n", NAMESPACE]);
  expect(
    table
      .split("\n")[0]
      ?.split(/ {2,}/)
      .map((title) => title.trim())
      .filter(Boolean),
  ).toEqual(["NAME", "APP", "TAG", "FAILED", "STATES", "AGE"]);
  expect(await plane.current.kubectl(["get", "chaski", "-n", NAMESPACE, "-o", "name"])).toContain("/echo-v1");
});

describe("what makes a Revision another one can't be changed, webhook or not", () => {
  test.each(["name", "tag"])("app.%s", async (field) => {
    await apply(revision);
    const app = { ...(revision.spec["app"] as object), [field]: "other" };
    await expect(apply({ ...revision, spec: { ...revision.spec, app } })).rejects.toThrow("create another Revision");
  });
});

describe("D-33: updates that the webhook is not asked about", () => {
  const WEBHOOK = "validatingwebhookconfigurations/nobody-answers";

  async function withSilentWebhook(change: () => Promise<unknown>): Promise<void> {
    await plane.current.kubectl(["create", "-f", "-"], { input: JSON.stringify(silentWebhook) });
    try {
      await change();
    } finally {
      await plane.current.kubectl(["delete", WEBHOOK]);
    }
  }

  /** Refuses whatever it is asked about, since nobody answers. */
  const silentWebhook = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "nobody-answers" },
    webhooks: [
      {
        name: "vrevision.kb.io",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        failurePolicy: "Fail",
        timeoutSeconds: 1,
        clientConfig: { url: "https://127.0.0.1:1/" },
        matchConditions: revisionMatchConditions,
        rules: [
          {
            apiGroups: ["picchu.medium.engineering"],
            apiVersions: ["v1alpha1"],
            resources: ["revisions"],
            operations: ["CREATE", "UPDATE"],
          },
        ],
      },
    ],
  };

  const [production, ...others] = revision.spec["targets"] as readonly Record<string, unknown>[];
  const externalTest = { enabled: true, started: true, completed: false };

  test.each([
    { what: "a mark that it failed", isAsked: false, spec: { failed: true } },
    { what: "the progress of a test", isAsked: false, spec: { targets: [{ ...production, externalTest }, ...others] } },
    { what: "another target", isAsked: true, spec: { targets: [...others] } },
    {
      what: "a field of a target",
      isAsked: true,
      spec: { targets: [{ ...production, acceptanceTarget: false }, ...others] },
    },
    { what: "another image", isAsked: true, spec: { app: { ...(revision.spec["app"] as object), image: "other" } } },
  ])("$what: asked about is $isAsked", async ({ isAsked, spec }) => {
    await apply(revision);
    const changed = { ...revision, spec: { ...revision.spec, ...spec } };
    await withSilentWebhook(async () => {
      await untilEffective();
      expect(await wasRefused(changed)).toBe(isAsked);
    });
  });

  /** A new webhook takes a moment to count: a Revision that it refuses to create shows that it does. */
  async function untilEffective(): Promise<void> {
    const probe = { ...revision, metadata: { name: "probe" } };
    await expect.poll(() => wasRefused(probe), { timeout: 30_000, interval: 200 }).toBe(true);
  }

  async function wasRefused(object: unknown): Promise<boolean> {
    try {
      await apply(object);
      return false;
    } catch (error) {
      expect(String(error)).toContain("vrevision.kb.io");
      return true;
    } finally {
      await plane.current.kubectl(["delete", "revision", "probe", "-n", NAMESPACE, "--ignore-not-found"]);
    }
  }
});
