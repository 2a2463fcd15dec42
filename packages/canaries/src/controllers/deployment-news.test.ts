import type { Deployment } from "@chaski/kube";
import { describe, expect, test } from "vitest";
import { deployment } from "../../test/builders.ts";
import { isNews, urgencyOf } from "./deployment-news.ts";

type Change = Partial<{ status: Deployment["status"]; metadata: Partial<Deployment["metadata"]> }>;

function changed({ status, metadata }: Change): Deployment {
  const before = deployment("shop-v2", { replicas: 4 });
  return {
    ...before,
    metadata: { ...before.metadata, resourceVersion: "2", ...metadata },
    status: { ...before.status, ...status },
  };
}

const timedOut = { type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded" } as const;

describe("a Deployment is worth a look", () => {
  test.each<[string, Change]>([
    ["its spec has changed", { metadata: { generation: 2 } }],
    ["a pod has become available or unavailable", { status: { availableReplicas: 3 } }],
    ["an available pod is of another template", { status: { updatedReplicas: 3 } }],
    ["a pod has gone", { status: { replicas: 3 } }],
    ["its deadline has passed", { status: { conditions: [timedOut] } }],
    ["it has another owner", { metadata: { ownerReferences: [] } }],
    ["somebody has taken a mark of ours away", { metadata: { annotations: { "chaski.dev/owner": "" } } }],
    ["it is being deleted", { metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } }],
  ])("when %s", (_name, change) => {
    expect(isNews(deployment("shop-v2", { replicas: 4 }), changed(change))).toBe(true);
  });

  test.each<[string, Change]>([
    ["a new version says nothing else", {}],
    [
      "a pod was made that is not available yet",
      { status: { replicas: 5, updatedReplicas: 5, unavailableReplicas: 1 } },
    ],
    ["a pod is ready and not yet available", { status: { readyReplicas: 4 } }],
    [
      "a condition was told anew",
      { status: { conditions: [{ ...timedOut, status: "True", reason: "NewReplicaSetAvailable" }] } },
    ],
  ])("but not when %s", (_name, change) => {
    expect(isNews(deployment("shop-v2", { replicas: 4 }), changed(change))).toBe(false);
  });
});

describe("that its controller has seen a change", () => {
  const unseen = changed({ status: { observedGeneration: 0 } });

  test.each<[string, Change, string]>([
    ["is urgent where nothing is left to do", {}, "soon"],
    ["can wait where a pod is yet to come", { status: { availableReplicas: 3 } }, "later"],
    ["can wait where a pod is yet to go", { status: { replicas: 5 } }, "later"],
  ])("%s", (_name, { status }, expected) => {
    const before = { ...unseen, status: { ...unseen.status, ...status } };
    const after = { ...before, status: { ...before.status, observedGeneration: 1 } };
    expect([isNews(before, after), urgencyOf(after, before)]).toEqual([true, expected]);
  });
});
