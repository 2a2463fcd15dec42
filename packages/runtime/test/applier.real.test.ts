import { randomUUID } from "node:crypto";
import { type KubeObject, keyOf, type Ref } from "@chaski/kube";
import { type ApplyEntry, type EntryResult, LOCAL_CLUSTER } from "@chaski/runtime";
import { type ClusterAccess, sharedControlPlane, until } from "@chaski/test/kube";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { everyEntry, everyKind } from "./apply/every-kind.ts";
import { connectCluster, installVoyages, Stage, type StageCluster } from "./apply/stage.ts";

const USER = "chaski-applier";

let plane: ClusterAccess;
let cluster: StageCluster;
let stage: Stage;

beforeAll(async () => {
  plane = await sharedControlPlane("workloads");
  await installVoyages(plane);
  const user = await plane.addUser(USER, ["system:masters"]);
  const users = { applier: user.kubeconfig, witness: plane.admin.kubeconfig };
  cluster = await connectCluster(LOCAL_CLUSTER, users, everyKind);
});
afterAll(async () => {
  await cluster?.stop();
});
beforeEach(async () => {
  stage = new Stage(cluster, await plane.createNamespace("applier"), { kinds: everyKind });
  await stage.createOwner();
});

describe("an idle pass", () => {
  test("of every kind makes no request", async () => {
    const entries = everyEntry(stage.namespace);
    expect(outcomes(await stage.pass(entries))).toEqual(everyOutcome(entries, "written"));
    const requests = await ourRequests();
    const written = await ourFields(entries);

    expect(outcomes(await stage.pass(entries))).toEqual(everyOutcome(entries, "unchanged"));
    expect(await ourRequests()).toEqual(requests);
    expect(await ourFields(entries)).toEqual(written);
  });

  test("of every kind writes nothing after a restart, and then makes no request", async () => {
    const entries = everyEntry(stage.namespace);
    await stage.pass(entries);
    const before = await ourRequests();
    const written = await ourFields(entries);

    stage.restart();
    expect(outcomes(await stage.pass(entries))).toEqual(everyOutcome(entries, "unchanged"));
    const after = await ourRequests();
    // An empty string is dropped by the server, which nobody can tell from a removed one without asking it.
    const env = `get /apis/apps/v1/namespaces/${stage.namespace}/deployments/web`;
    expect(after.slice(before.length)).toEqual([env]);
    expect(outcomes(await stage.pass(entries))).toEqual(everyOutcome(entries, "unchanged"));
    expect(await ourRequests()).toEqual(after);
    expect(await ourFields(entries)).toEqual(written);
  });
});

function outcomes(results: readonly EntryResult[]): readonly string[] {
  return results.map((result) => [result.ref.kind.kind, result.outcome, ...told(result)].join(" "));
}

function told(result: EntryResult): readonly string[] {
  return "message" in result ? [result.message] : [];
}

function everyOutcome(entries: readonly ApplyEntry[], outcome: string): readonly string[] {
  return entries.map(({ ref }) => `${ref.kind.kind} ${outcome}`);
}

/** What shows any write of ours; controllers write statuses meanwhile. */
async function ourFields(entries: readonly ApplyEntry[]): Promise<Record<string, unknown>> {
  const found = await Promise.all(
    entries.map(async ({ ref }) => {
      const { metadata, spec, data } = (await stage.live(ref)) as KubeObject & { spec?: unknown; data?: unknown };
      return [nameOf(ref), { managed: ownEntries(metadata.managedFields), spec, data }] as const;
    }),
  );
  return Object.fromEntries(found);
}

function ownEntries(entries: KubeObject["metadata"]["managedFields"] = []): unknown {
  return entries.filter(({ manager }) => manager?.startsWith("chaski-"));
}

/** What the server answered the applier's user so far; lists and watches are the caches'. */
async function ourRequests(): Promise<readonly string[]> {
  const marker = `/version?marker=${randomUUID()}`;
  await cluster.client.raw({ method: "GET", path: marker });
  const events = await until(
    async () => {
      const logged = await plane.auditEvents({ user: USER });
      return logged.some(({ requestURI }) => requestURI === marker) ? logged : undefined;
    },
    { what: "the audit log has come so far" },
  );
  return events
    .filter(({ verb, requestURI }) => !["list", "watch"].includes(verb) && !requestURI.startsWith("/version"))
    .map(({ verb, requestURI }) => `${verb} ${requestURI}`);
}

function nameOf(ref: Ref): string {
  return `${ref.kind.kind} ${keyOf(ref)}`;
}
