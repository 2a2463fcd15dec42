import { ReleaseManager, releaseKeys, type Revision } from "@chaski/api";
import { findCondition, type Ref } from "@chaski/kube";
import { describe, expect, test } from "vitest";
import { aReleaseManager, anEntry, APP, aRevision, FLEET, NOW_MS, TARGET } from "../../test/worlds.ts";
import { decideRevision, type RevisionWorld } from "./decide-revision.ts";
import type { Evidence } from "./world.ts";

const labelled = { [releaseKeys.labels.app]: APP, [releaseKeys.fleetLabel(FLEET)]: "" };

function aWorld(changes: Partial<RevisionWorld> = {}): RevisionWorld {
  return {
    nowMs: NOW_MS,
    revision: aRevision("v1", { labels: labelled }),
    siblings: [],
    releaseManagers: [aReleaseManager([])],
    owned: [],
    evidence: [],
    judgeUntilPercent: 50,
    ...changes,
  };
}

function patchesOf(world: RevisionWorld): readonly unknown[] {
  return decideRevision(world).patches.map(({ patch }) => patch);
}

function conditionOf(world: RevisionWorld, type: string): string {
  const condition = findCondition(decideRevision(world).status?.conditions, type);
  return `${condition?.status} ${condition?.reason}`;
}

function entriesOf(world: RevisionWorld): readonly string[] {
  const name = ({ kind, name }: Ref): string => `${kind.kind} ${name}`;
  return decideRevision(world).desired.flatMap(({ entries }) => entries.map(({ verb, ref }) => `${verb} ${name(ref)}`));
}

describe("labels", () => {
  test("D-34: a Revision without labels gets them", () => {
    const { labels: _labels, ...metadata } = aRevision("v1").metadata;
    expect(patchesOf(aWorld({ revision: { ...aRevision("v1"), metadata } }))).toEqual([
      { metadata: { labels: labelled } },
    ]);
  });

  test("a fleet that no target names any more loses its label; another app's label is not corrected", () => {
    const labels = { ...labelled, [releaseKeys.labels.app]: "other", [releaseKeys.fleetLabel("old")]: "" };
    expect(patchesOf(aWorld({ revision: aRevision("v1", { labels }) }))).toEqual([
      { metadata: { labels: { [releaseKeys.fleetLabel("old")]: null } } },
    ]);
  });
});

describe("D-05: a Revision is deleted", () => {
  test.each([
    { label: "true", isDeleted: true },
    { label: "false", isDeleted: false },
    { label: undefined, isDeleted: false },
  ])("if its only target says $label: $isDeleted", ({ label, isDeleted }) => {
    const mark: Record<string, string> = label === undefined ? {} : { [releaseKeys.deletableLabel(TARGET)]: label };
    const world = aWorld({ revision: aRevision("v1", { labels: { ...labelled, ...mark } }) });
    expect(entriesOf(world).includes(`remove Revision ${APP}-v1`)).toBe(isDeleted);
  });

  test("never without targets", () => {
    const revision = aRevision("v1", { labels: labelled, spec: { targets: [] } });
    expect(entriesOf(aWorld({ revision }))).toEqual([]);
  });
});

describe("its ReleaseManager", () => {
  test("is made with labels, finalizer and spec where it is missing", () => {
    const [entry] = decideRevision(aWorld({ releaseManagers: [] })).desired[0]?.entries ?? [];
    expect(entry).toMatchObject({
      verb: "apply",
      object: {
        metadata: { name: `${APP}-${TARGET}`, finalizers: [releaseKeys.finalizers.releaseManager] },
        spec: { app: APP, target: TARGET, fleet: FLEET },
      },
    });
  });

  test("is left alone where it is there, whoever made it", () => {
    expect(entriesOf(aWorld())).toEqual([]);
    expect(entriesOf(aWorld({ owned: [aReleaseManager([])] }))).toEqual([`keep ReleaseManager ${APP}-${TARGET}`]);
  });

  test("D-06: of two the oldest is used", () => {
    const older = aReleaseManager([anEntry("v1", { state: "deployed" })], {
      name: "a",
      creationTimestamp: "2026-01-01T00:00:00Z",
    });
    const younger = aReleaseManager([], { name: "b", creationTimestamp: "2026-02-01T00:00:00Z" });
    const { status } = decideRevision(aWorld({ releaseManagers: [younger, older] }));
    expect(status?.targets).toMatchObject([{ state: "deployed" }]);
  });

  test("D-35: follows the newest Revision to another fleet, and no older one", () => {
    const moved = (tag: string): Revision =>
      aRevision(tag, { labels: { ...labelled, [releaseKeys.fleetLabel("next")]: "" }, target: { fleet: "next" } });
    const newest = decideRevision(aWorld({ revision: moved("v2"), siblings: [aRevision("v1")] }));
    expect(newest.patches).toContainEqual(
      expect.objectContaining({
        ref: expect.objectContaining({ kind: ReleaseManager }) as unknown,
        patch: { metadata: { labels: { [releaseKeys.labels.fleet]: "next" } }, spec: { fleet: "next" } },
      }),
    );
    const older = decideRevision(aWorld({ revision: moved("v1"), siblings: [aRevision("v2")] }));
    expect(older.patches.some(({ ref }) => ref.kind === ReleaseManager)).toBe(false);
  });

  test("D-85: belongs to another app and target of the same name: nothing is made, and the Revision says so", () => {
    const rival = { ...aReleaseManager([]), spec: { app: "sh", target: "op-production", fleet: FLEET } };
    const world = aWorld({ releaseManagers: [rival] });
    expect(entriesOf(world)).toEqual([]);
    expect(conditionOf(world, "Placed")).toBe("False NameContested");
  });
});

describe("failure", () => {
  const failing: Evidence = { judge: "prometheus", verdict: "fail", alerts: ["TooManyErrors"] };
  const failed = {
    metadata: { annotations: { [releaseKeys.annotations.failedAt]: "2026-03-04T18:00:00Z" } },
    spec: { failed: true },
  };
  const judged = (
    entry: Parameters<typeof anEntry>[1],
    evidence: readonly Evidence[],
    spec: Partial<Revision["spec"]> = {},
  ): RevisionWorld =>
    aWorld({
      evidence,
      releaseManagers: [aReleaseManager([anEntry("v1", entry)])],
      revision: aRevision("v1", { labels: labelled, spec }),
    });

  test.each([
    { what: "an alert fires", world: judged({ state: "releasing", wonPercent: 10 }, [failing]), isFailed: true },
    { what: "it has won too much", world: judged({ state: "releasing", wonPercent: 50 }, [failing]), isFailed: false },
    {
      what: "D-72: it won nothing, at 100 %",
      world: judged({ state: "released", currentPercent: 100 }, [failing]),
      isFailed: true,
    },
    {
      what: "nobody can say",
      world: judged({ state: "releasing" }, [{ ...failing, verdict: "unknown" }]),
      isFailed: false,
    },
    {
      what: "alerts are ignored",
      world: judged({ state: "releasing" }, [failing], { ignoreSLOs: true }),
      isFailed: false,
    },
    {
      what: "Datadog is ignored",
      world: judged({ state: "canaryingdatadog" }, [{ ...failing, judge: "datadog" }], { ignoreDatadogCanary: true }),
      isFailed: false,
    },
    {
      what: "Datadog says so",
      world: judged({ state: "canaryingdatadog" }, [{ ...failing, judge: "datadog" }], { ignoreSLOs: true }),
      isFailed: true,
    },
    { what: "a target times out", world: judged({ state: "timingout" }, []), isFailed: true },
  ])("$what: $isFailed", ({ world, isFailed }) => {
    expect(patchesOf(world)).toEqual(isFailed ? [failed] : []);
    expect(conditionOf(world, "Failed").startsWith(isFailed ? "True" : "False")).toBe(true);
  });

  test("is marked once, and keeps telling why", () => {
    const world = judged({ state: "failing" }, [failing]);
    const { status } = decideRevision(world);
    const revision = {
      ...aRevision("v1", { labels: labelled, spec: { failed: true } }),
      ...(status ? { status } : {}),
    };
    expect(patchesOf({ ...world, revision })).toEqual([]);
    expect(conditionOf({ ...world, revision }, "Failed")).toBe("True SloViolation");
  });
});

describe("the condition Released", () => {
  const split = (status: "True" | "False"): NonNullable<Parameters<typeof aReleaseManager>[2]> => ({
    conditions: [
      { type: "SplitObserved", status, reason: "Observed", message: "", lastTransitionTime: "2026-03-04T18:00:00Z" },
    ],
  });
  const entry = anEntry("v1", { state: "released", currentPercent: 100 });

  test.each([
    { what: "released and observed", manager: aReleaseManager([entry], {}, split("True")), condition: "True Released" },
    {
      what: "released, not observed yet",
      manager: aReleaseManager([entry], {}, split("False")),
      condition: "False Progressing",
    },
    {
      what: "retired",
      manager: aReleaseManager([anEntry("v1", { state: "retired" })], {}, split("True")),
      condition: "False Progressing",
    },
  ])("$what: $condition", ({ manager, condition }) => {
    expect(conditionOf(aWorld({ releaseManagers: [manager] }), "Released")).toBe(condition);
  });

  test("a Revision without an eligible target is never released", () => {
    const revision = aRevision("v1", { labels: labelled, target: { release: { eligible: false } } });
    expect(conditionOf(aWorld({ revision }), "Released")).toBe("False NotEligible");
  });
});
