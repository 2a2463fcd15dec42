// Every golden object, on a real API server with the upstream projects' own CRDs.
import { join } from "node:path";
import { useControlPlane } from "@chaski/test/kube/vitest";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ClusterPlan } from "../src/plan/plan.ts";
import { coreKinds, optionalKinds } from "../src/objects/kinds.ts";
import { GOLDEN_FOLDER, goldenObjects } from "./golden.ts";
import { installNeededCrds } from "./needed-crds.ts";
import { everything } from "./everything.ts";
import { ReleaseStage } from "./release-stage.ts";

const plane = useControlPlane({ name: "objects" });

const golden = goldenObjects();

beforeAll(async () => {
  await installNeededCrds(plane.current);
  const namespaces = new Set(golden.flatMap(({ object }) => object.metadata.namespace ?? []));
  for (const name of namespaces) {
    await plane.current.createIfMissing("/api/v1/namespaces", { metadata: { name } });
  }
});

test.each(golden)("$file is accepted as it is", async ({ file, object }) => {
  const args = ["--server-side", "--force-conflicts", "--validate=strict", "-f", join(GOLDEN_FOLDER, file)];
  await plane.current.kubectl(["apply", ...args]);
  const { namespace = "default" } = object.metadata;
  const read = await plane.current.kubectl(["get", "-n", namespace, "-o", "json", "-f", join(GOLDEN_FOLDER, file)]);
  expect(JSON.parse(read)).toMatchObject(object);
});

describe("a release with an object of every kind, applied as the operator does", () => {
  let stage: ReleaseStage | undefined;
  beforeAll(async () => {
    stage = await ReleaseStage.start(plane.current);
  });
  afterAll(() => stage?.stop());

  const pass = async (changes: Partial<ClusterPlan> = {}): Promise<readonly string[]> =>
    (await stage?.pass(everything(changes))) ?? [];

  test("the first pass writes everything, the second one nothing (D-75)", async () => {
    const first = await pass();
    expect(new Set(first.map(outcomeOf))).toEqual(new Set(["written"]));
    expect(new Set(first.map((line) => line.split(" ")[0]))).toEqual(
      new Set([...coreKinds, ...optionalKinds].map(({ kind }) => kind)),
    );
    const second = await pass();
    expect(second.filter((line) => outcomeOf(line) !== "unchanged")).toEqual([]);
    expect(second).toHaveLength(first.length);
  });

  test("a tag that is deleted leaves nothing behind but what others need", async () => {
    const [v3, v2, v1] = everything().clusters[0]?.revisions ?? [];
    const endings = [{ tag: "v1", ending: "delete", because: "v1 is deleting" }] as const;
    const lines = await pass({ revisions: [v3, v2].filter((each) => each !== undefined), endings });
    expect(v1?.tag).toBe("v1");
    expect(lines.filter((line) => outcomeOf(line) !== "unchanged").toSorted()).toEqual([
      "HorizontalPodAutoscaler v1 removed",
      "PrometheusRule relay-canary-v1 removed",
      "ReplicaSet v1 removed",
    ]);
  });
});

function outcomeOf(line: string): string {
  return line.split(" ").at(2) ?? "";
}
