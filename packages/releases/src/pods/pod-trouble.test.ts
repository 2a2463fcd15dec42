import type { ContainerState, Pod } from "@chaski/kube";
import { describe, expect, test } from "vitest";
import { troublesIn } from "./pod-trouble.ts";

const IMAGE = "registry.invalid/team/shop:v2";
const CREATED = "2026-01-01T00:00:00Z";

interface Container {
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
  readonly restarts?: number;
}

function aPod(name: string, container: Container = {}, conditions: NonNullable<Pod["status"]>["conditions"] = []): Pod {
  const { state = {}, lastState = {}, restarts: restartCount = 0 } = container;
  const own = { name: "shop", image: IMAGE, imageID: "", ready: false, restartCount, state, lastState };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, creationTimestamp: CREATED },
    spec: { containers: [] },
    status: { conditions: [...conditions], containerStatuses: [own] },
  };
}

const waiting = (reason: string, message: string): Container => ({ state: { waiting: { reason, message } } });
const ready = aPod("v2-ready", {}, [{ type: "Ready", status: "True" }]);
const said = (pod: Pod): string | undefined => troublesIn([pod])[0]?.said;

describe("what the registry said is told without what kubelet and runtime say around it", () => {
  const notFound = `failed to pull and unpack image "${IMAGE}": failed to resolve reference "${IMAGE}": ${IMAGE}: not found`;
  test.each([
    ["ErrImagePull", notFound, "not found"],
    ["ImagePullBackOff", `Back-off pulling image "${IMAGE}": ErrImagePull: ${notFound}`, "not found"],
    ["ErrImagePull", `rpc error: code = NotFound desc = ${notFound}`, "not found"],
    [
      "ErrImagePull",
      `failed to pull and unpack image "${IMAGE}": failed to resolve reference "${IMAGE}": pull access denied, repository does not exist or may require authorization`,
      "pull access denied, repository does not exist or may require authorization",
    ],
    [
      "ErrImagePull",
      `failed to pull and unpack image "${IMAGE}": failed to resolve reference "${IMAGE}": failed to do request: Head "https://registry.invalid/v2/": dial tcp: i/o timeout`,
      'failed to do request: Head "https://registry.invalid/v2/": dial tcp: i/o timeout',
    ],
  ])("%s %s", (reason, message, words) => {
    expect(said(aPod("v2-a", waiting(reason, message)))).toBe(words);
  });
});

describe("every way not to become ready", () => {
  const ended = { terminated: { exitCode: 137, reason: "OOMKilled" } };
  test.each([
    { what: "it crashes", pod: { state: { waiting: { reason: "CrashLoopBackOff" } }, lastState: ended, restarts: 4 } },
    { what: "it has just crashed", pod: { state: ended, restarts: 4 } },
    { what: "it runs until it crashes again", pod: { state: { running: {} }, lastState: ended, restarts: 4 } },
  ])("$what", ({ pod }) => {
    const words = "it ends with code 137 (OOMKilled), restarted 4 times";
    expect(troublesIn([aPod("v2-a", pod)])).toMatchObject([{ kind: "crash", container: "shop", said: words }]);
  });

  test("a Secret that it reads is missing", () => {
    const pod = aPod("v2-a", waiting("CreateContainerConfigError", 'secret "keys" not found'));
    expect(troublesIn([pod])).toMatchObject([{ kind: "config", said: 'secret "keys" not found' }]);
  });

  test("no node has room", () => {
    const message = "0/3 nodes are available: 3 Insufficient cpu.";
    const scheduled = { type: "PodScheduled", status: "False", reason: "Unschedulable", message };
    expect(troublesIn([aPod("v2-a", {}, [scheduled])])).toMatchObject([{ kind: "node", said: message }]);
  });
});

test("pods with the same trouble are counted, the most frequent trouble first, one is named", () => {
  const pods = [
    aPod("v2-c", waiting("CreateContainerConfigError", 'secret "keys" not found')),
    aPod("v2-b", waiting("ImagePullBackOff", "not found")),
    aPod("v2-a", waiting("ErrImagePull", "not found")),
    ready,
  ];
  expect(troublesIn(pods).map(({ kind, pods: count, of, example }) => [kind, count, of, example])).toEqual([
    ["image", 2, 4, "v2-a"],
    ["config", 1, 4, "v2-c"],
  ]);
});

test("ready pods, pods that only take their time and pods that go have no trouble", () => {
  const gone = aPod("v2-gone", waiting("ImagePullBackOff", "not found"));
  const going = { ...gone, metadata: { ...gone.metadata, deletionTimestamp: CREATED } };
  const starting = aPod("v2-slow", { state: { waiting: { reason: "ContainerCreating" } } });
  expect(troublesIn([ready, going, starting, aPod("v2-runs", { state: { running: {} } })])).toEqual([]);
});
