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
