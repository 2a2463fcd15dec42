import { describe, expect, test } from "vitest";
import { revision } from "../../../test/picchu-manifests.ts";
import { revisionWith } from "../../../test/revision.ts";
import { lintRevision } from "./lint-revision.ts";

test("a manifest with every field that Picchu has is fine, but for its legacy alert rules", () => {
  expect(lintRevision(revision)).toMatchObject({ problems: [], warnings: [{ path: "spec.targets[0].alertRules" }] });
});

test("ports are judged as the webhook would have left them", () => {
  const ports = [
    { name: "http", mode: "private" },
    { name: "grpc", mode: "private", default: true },
  ];
  expect(lintRevision(revisionWith({ ports })).problems).toEqual([]);
});

describe("what is no Revision at all is told by path", () => {
  test.each([
    { what: "nothing", manifest: null, path: "spec" },
    { what: "no spec", manifest: { metadata: { name: "x" } }, path: "spec" },
    {
      what: "a text for a number",
      manifest: revisionWith({ scale: { max: "4" as never } }),
      path: "spec.targets[0].scale.max",
    },
    {
      what: "a target that is none",
      manifest: { spec: { ...revisionWith().spec, targets: [null] } },
      path: "spec.targets[0]",
    },
    {
      what: "a port without a name",
      manifest: revisionWith({ ports: [{ mode: "private" } as never] }),
      path: "spec.targets[0].ports[0].name",
    },
  ])("$what: $path", ({ manifest, path }) => {
    expect(lintRevision(manifest).problems).toMatchObject([{ path }]);
  });
});

describe("a field that does not exist is told by path, since the API server would drop it in silence", () => {
  test.each([
    { what: "of the spec", manifest: { spec: { ...revisionWith().spec, tagHeader: "x" } }, path: "spec.tagHeader" },
    {
      what: "of a target",
      manifest: revisionWith({ extenalTest: { enabled: true } } as never),
      path: "spec.targets[0].extenalTest",
    },
    {
      what: "deep inside",
      manifest: revisionWith({ release: { linearScaling: { increment: 5, deley: "10s" } } } as never),
      path: "spec.targets[0].release.linearScaling.deley",
    },
    {
      what: "in a list",
      manifest: revisionWith({ ports: [{ name: "http", mode: "private", ingress: ["private"] }] } as never),
      path: "spec.targets[0].ports[0].ingress",
    },
  ])("$what: $path", ({ manifest, path }) => {
    expect(lintRevision(manifest).problems).toMatchObject([{ path }]);
  });

  test("in another case: the right one is named", () => {
    const manifest = revisionWith({ scale: { max: 4, Min: 1 } } as never);
    expect(lintRevision(manifest).problems).toEqual([
      expect.objectContaining({ path: "spec.targets[0].scale.Min", message: expect.stringContaining("write min") }),
    ]);
  });

  test("what belongs to other systems is theirs to judge", () => {
    const istio = { trafficPolicy: { loadBalancer: { simple: "LEAST_REQUEST" } } };
    const livenessProbe = { httpGet: { path: "/", port: 80 }, somethingNew: true } as never;
    expect(lintRevision(revisionWith({ istio, livenessProbe, podAnnotations: { "a/b": "c" } })).problems).toEqual([]);
  });
});
