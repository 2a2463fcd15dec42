// What a plan says about the app as a whole: mesh, configs, monitoring, latencies.
import { formatTimestamp } from "@chaski/kube";
import { describe, expect, test } from "vitest";
import { pair } from "../../test/pair.ts";
import { aCluster, anEntry, aReleaseManager, aRevision, aWorld, NOW_MS } from "../../test/worlds.ts";
import { decideOutcome } from "./decide-outcome.ts";
import type { ConfigSource } from "./world.ts";

describe("the mesh mode (§7.8)", () => {
  const mode = (older: { ambient: boolean; pods: number }, newer: { ambient: boolean; pods: number }) =>
    decideOutcome(
      aWorld({
        revisions: [
          aRevision("v1", { target: { ambientMesh: older.ambient } }),
          aRevision("v2", { target: { ambientMesh: newer.ambient } }),
        ],
        releaseManager: aReleaseManager([anEntry("v1", { state: "deployed" }), anEntry("v2", { state: "deployed" })]),
        clusters: [aCluster("a", { pods: { v1: older.pods, v2: newer.pods } })],
      }),
    ).plan?.app.mesh;

  test.each([
    { older: { ambient: false, pods: 1 }, newer: { ambient: true, pods: 1 }, mode: "transition" },
    { older: { ambient: true, pods: 1 }, newer: { ambient: false, pods: 0 }, mode: "transition" },
    { older: { ambient: true, pods: 1 }, newer: { ambient: true, pods: 0 }, mode: "ambient" },
    { older: { ambient: false, pods: 1 }, newer: { ambient: true, pods: 0 }, mode: "sidecar" },
    { older: { ambient: false, pods: 0 }, newer: { ambient: true, pods: 0 }, mode: "ambient" },
    { older: { ambient: false, pods: 0 }, newer: { ambient: false, pods: 0 }, mode: "sidecar" },
  ])("$older, then $newer: $mode", ({ older, newer, mode: expected }) => {
    const mesh = mode(older, newer);
    expect(mesh?.mode).toBe(expected);
    expect(mesh?.waypoint !== undefined).toBe(expected !== "sidecar");
  });
});

describe("configs", () => {
  const config = (kind: ConfigSource["kind"], name: string, labels: Record<string, string> = {}): ConfigSource => ({
    kind,
    name,
    namespace: "delivery",
    labels,
    hash: "h",
  });
  const configs = [
    config("ExternalSecret", "x"),
    config("ConfigMap", "b", { app: "shop" }),
    config("Secret", "z"),
    config("Secret", "a", { app: "shop" }),
  ];
  const chosen = (configSelector: object | undefined) => {
    const revision = configSelector ? { target: { configSelector } } : {};
    return decideOutcome(pair({ state: "deployed" }, { configs, revision })).plan?.app;
  };

  test("an absent selector chooses nothing", () => {
    expect(chosen(undefined)?.configs).toEqual([]);
  });

  test("an empty one chooses everything, Secrets first", () => {
    expect(chosen({})?.revisions[0]?.configs.map(({ name }) => name)).toEqual(["a", "z", "b", "x"]);
  });

  test("labels choose", () => {
    expect(chosen({ matchLabels: { app: "shop" } })?.revisions[0]?.configs.map(({ name }) => name)).toEqual(["a", "b"]);
  });

  test("one that nobody can read chooses nothing", () => {
    expect(chosen({ matchExpressions: [{ key: "a", operator: "Near", values: [] }] })?.configs).toEqual([]);
  });

  test("a config of several tags follows the newest of them", () => {
    const target = { configSelector: { matchLabels: { app: "shop" } } };
    const world = pair({ state: "deployed" }, { configs, revision: { target } });
    const both = { ...world, revisions: [aRevision("v1", { target }), aRevision("v2", { target })] };
    expect(decideOutcome(both).plan?.app.configs.map(({ tag }) => tag)).toEqual(["v2", "v2"]);
  });
});

describe("latencies (§13)", () => {
  const seconds = (annotations: Readonly<Record<string, string>>) =>
    decideOutcome(
      pair(
        { state: "deployed", deployingStartTimestamp: formatTimestamp(NOW_MS - 30_000) },
        { revision: { annotations } },
      ),
    ).status.revisions?.find(({ tag }) => tag === "v2")?.metrics;

  test("are measured once, when the state is first seen", () => {
    expect(seconds({ "git-scm.com/committer-timestamp": formatTimestamp(NOW_MS - 90_000) })).toMatchObject({
      gitDeploySecondsInt: 90,
      deploySecondsInt: 30,
    });
  });

  test("D-47: without a git time there is nothing to measure from", () => {
    expect(seconds({ "git-scm.com/committer-timestamp": "" })?.gitDeploySecondsInt).toBeUndefined();
  });
});
