// What a person asks and does about a release.
import { Canary, Cluster, ReleaseManager, Revision } from "@chaski/api";
import { Secret } from "@chaski/kube";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { run } from "../src/index.ts";
import { type CliStage, cliStage } from "./stage.ts";
import { named, stories } from "./stories.ts";

let stage: CliStage;
beforeAll(async () => {
  stage = await cliStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

beforeEach(async () => {
  const { client } = stage;
  for (const kind of [ReleaseManager, Revision, Canary, Cluster, Secret]) {
    const { items } = await client.of(kind as typeof Secret).list({ namespace: "default" });
    for (const { metadata } of items) await client.of(kind as typeof Secret).delete(metadata);
  }
});

const aCanary: Canary = {
  apiVersion: "canarycontroller.chaski.dev/v1alpha1",
  kind: "Canary",
  metadata: { name: "basket", namespace: "default" },
  spec: { type: "CanaryDeploy", oldDeploymentName: "a", newDeploymentName: "b", image: "basket:2", totalBatches: 2 },
};

const releaseManager = (name = "shop-production") =>
  stage.client.of(ReleaseManager).get({ namespace: "default", name });
const revision = (tag: string) => stage.client.of(Revision).get({ namespace: "default", name: `shop-${tag}` });

describe("looking", () => {
  test("list has a row for each release", async () => {
    await stage.write(stories.capacity());
    await stage.write(named(stories.released(), "mail"));
    const [code, output] = await stage.chaski("list");
    expect([code, output.split("\n").map((row) => row.split(/ {2,}/).slice(0, 6))]).toEqual([
      0,
      [
        ["APP", "TARGET", "NEWEST", "STATE", "TRAFFIC", "WAITS FOR"],
        ["mail", "production", "v2", "released", "v2 100 %", "–"],
        ["shop", "production", "v2", "releasing", "v2 20 %, v1 80 %", "v2 has 3 of 6 ready pods for 40 %"],
      ],
    ]);
  });

  test("list has Canaries too, and each can be got by canary/NAME", async () => {
    await stage.write(stories.delay());
    await stage.client.of(Canary).create(aCanary);
    const [, list] = await stage.chaski("list");
    expect(list).toMatch(/shop {2,}production[\s\S]*\n\nCANARY {2,}IMAGE[\s\S]*\nbasket {2,}basket:2/);
    const [, json] = await stage.chaski("list", "-o", "json");
    expect((JSON.parse(json) as readonly { kind: string }[]).map(({ kind }) => kind)).toEqual([
      "ReleaseManager",
      "Canary",
    ]);
    expect(await stage.chaski("get", "canary/basket")).toEqual([0, expect.stringMatching(/^basket is new: /)]);
  });

  test("watch tells of releases and of Canaries", async () => {
    await stage.write(stories.delay());
    await stage.client.of(Canary).create(aCanary);
    const printed: string[] = [];
    const spy = vi.spyOn(console, "log").mockImplementation((text: unknown) => void printed.push(String(text)));
    const watching = run(["watch", "--kubeconfig", join(stage.folder, "kubeconfig")]);
    await vi.waitFor(() => {
      expect(printed).toContainEqual(expect.stringContaining("shop/production waits: "));
      expect(printed).toContainEqual(expect.stringContaining("canary/basket: nothing was checked yet"));
    }, 10_000);
    process.emit("SIGINT");
    expect(await watching).toBe(0);
    spy.mockRestore();
  });

  test("an empty list says how to begin", async () => {
    expect(await stage.chaski("list")).toEqual([0, expect.stringContaining("chaski up")]);
  });

  test("get draws the tree, and -o json gives the object", async () => {
    await stage.write(stories.delay());
    const [, tree] = await stage.chaski("get", "shop");
    expect(tree).toMatch(/^shop\/production waits: v2 waits before its next step/);
    expect(tree).toMatch(/├ eu-1 .*20 % {3}3\/3 ●●●/);
    const [, json] = await stage.chaski("get", "shop", "-o", "json");
    expect(JSON.parse(json)).toMatchObject([{ kind: "ReleaseManager", spec: { app: "shop" } }]);
  });

  test("why names what is waited for first, and gives the gates as data", async () => {
    await stage.write(stories.paused());
    const [code, output] = await stage.chaski("why", "shop");
    expect([code, output.split("\n")[0]]).toEqual([0, "shop/production waits: the release is paused: lunch"]);
    const [, json] = await stage.chaski("why", "shop/production", "-o", "json");
    expect(JSON.parse(json)).toContainEqual(expect.objectContaining({ name: "Paused", verdict: "waiting" }));
  });

  test.each([
    [["why", "shpo"], 3, "there is no app shpo in namespace default; did you mean shop?"],
    [["why", "shop/prodction"], 3, "shop has no target prodction; did you mean production?"],
    [["why", "shop"], 2, "shop has several targets: say shop/production or shop/staging"],
    [
      ["get", "shop", "-n", "nowhere"],
      3,
      "there is no app shop in namespace nowhere; there is one in default: add -n default",
    ],
    [["why", "a/b/c"], 2, "a/b/c is no release: say APP or APP/TARGET"],
  ])("%j ends with %i: %s", async (args, code, message) => {
    await stage.write(stories.delay());
    await stage.write(named(stories.delay(), "shop", "staging"));
    expect(await stage.chaski(...args)).toEqual([code, `chaski: ${message}`]);
  });
});

describe("acting", () => {
  beforeEach(() => stage.write(stories.delay()));

  test("pause and resume are annotations with the reason and whose it is", async () => {
    expect((await stage.chaski("pause", "shop", "--reason", "lunch"))[0]).toBe(0);
    expect((await releaseManager()).metadata.annotations).toMatchObject({
      "chaski.dev/paused": "lunch",
      "chaski.dev/paused-by": "admin",
    });
    expect(await stage.chaski("resume", "shop/production")).toEqual([0, "shop/production goes on."]);
    const { annotations = {} } = (await releaseManager()).metadata;
    expect(Object.keys(annotations).filter((name) => name.includes("paused"))).toEqual([]);
  });

  test("promote names the newest that is on its way", async () => {
    await stage.chaski("promote", "shop", "--reason", "it is fine");
    const { annotations, managedFields = [] } = (await releaseManager()).metadata;
    expect(annotations).toMatchObject({ "chaski.dev/promote": "v2", "chaski.dev/reason": "it is fine" });
    expect(managedFields.map(({ manager }) => manager)).toContain("chaski-cli");
    expect(await stage.chaski("promote", "shop", "v9")).toEqual([3, expect.stringContaining("has no revision v9")]);
  });

  test("rollback shows who takes over, and does nothing without a yes", async () => {
    expect(await stage.chaski("rollback", "shop", "--reason", "errors")).toEqual([
      2,
      "chaski: v1 takes over the 20 % of v2. Roll back? Add --yes to do it without a terminal",
    ]);
    expect((await revision("v2")).spec.failed).toBe(false);
  });

  test("rollback marks the Revision as failed, once, with time and reason", async () => {
    expect((await stage.chaski("rollback", "shop", "--reason", "errors", "--yes"))[0]).toBe(0);
    const { spec, metadata } = await revision("v2");
    expect(spec.failed).toBe(true);
    expect(metadata.annotations).toMatchObject({
      "picchu.medium.engineering/failed-at-timestamp": expect.stringMatching(/^\d{4}-.*Z$/),
      "chaski.dev/reason": "errors",
    });
    await stage.chaski("fail", "shop", "v2", "--reason", "again", "--yes");
    expect((await revision("v2")).metadata.resourceVersion).toBe(metadata.resourceVersion);
  });

  test("where nobody can take over, rollback refuses and says what can be done", async () => {
    for (const tag of ["v0", "v1"])
      await stage.client.of(Revision).delete({ namespace: "default", name: `shop-${tag}` });
    const [code, output] = await stage.chaski("rollback", "shop", "--reason", "errors", "--yes");
    expect([code, output]).toEqual([1, expect.stringContaining("nobody can take over from v2")]);
    expect((await revision("v2")).spec.failed).toBe(false);
  });
});

describe("clusters", () => {
  const joinSelf = () =>
    stage.chaski(
      "clusters",
      "join",
      "eu-1",
      "--fleet",
      "main",
      "--from-kubeconfig",
      join(stage.folder, "kubeconfig"),
      "--yes",
    );

  test("join writes a Cluster and a Secret that the operator can use, and prints no credential", async () => {
    const [code, output] = await joinSelf();
    expect([code, output]).toEqual([0, expect.stringContaining("eu-1 is part of fleet main")]);
    expect(output).not.toContain(stage.listening.token);
    const key = { namespace: "default", name: "eu-1" };
    expect(await stage.client.of(Cluster).get(key)).toMatchObject({
      metadata: { labels: { "picchu.medium.engineering/fleet": "main" } },
      spec: { enabled: true, config: { server: stage.listening.url } },
    });
    const { data = {} } = await stage.client.of(Secret).get(key);
    expect(JSON.parse(Buffer.from(data["auth-info"] ?? "", "base64").toString())).toHaveProperty("token");
  });

  test("status tells what the operator knows; quarantine sets one aside and takes it back", async () => {
    await joinSelf();
    const words = (row: string | undefined): readonly string[] => row?.split(/ {2,}/) ?? [];
    expect(words((await stage.chaski("clusters", "status"))[1].split("\n")[1]).slice(0, 3)).toEqual([
      "eu-1",
      "main",
      "new",
    ]);
    await stage.chaski("clusters", "quarantine", "eu-1", "--reason", "repair");
    expect((await stage.chaski("clusters", "status"))[1]).toContain("quarantined: repair");
    await stage.chaski("clusters", "quarantine", "eu-1", "--off");
    expect((await stage.chaski("clusters", "status"))[1]).not.toContain("quarantined");
    expect(await stage.chaski("clusters", "quarantine", "eu1", "--off")).toEqual([
      3,
      "chaski: there is no Cluster eu1 in namespace default; did you mean eu-1?",
    ]);
  });

  test("sweep finds what an absent owner left, and removes it when told to", async () => {
    await joinSelf();
    const metadata = {
      name: "left",
      namespace: "default",
      labels: { "chaski.dev/managed-by": "delivery" },
      annotations: {
        "chaski.dev/owner": "delivery releases.release-manager default/gone-production Secret:default/left",
      },
    };
    await stage.client.of(Secret).create({ apiVersion: "v1", kind: "Secret", metadata });
    const copy = { ...metadata, name: "copy" };
    await stage.client.of(Secret).create({ apiVersion: "v1", kind: "Secret", metadata: copy });
    const [code, output] = await stage.chaski("clusters", "sweep");
    expect([code, output.split("\n")]).toEqual([
      0,
      [
        "eu-1: 1 objects left behind",
        "  Secret default/left (of default/gone-production)",
        "  → `chaski clusters sweep --yes` removes them",
      ],
    ]);
    await stage.chaski("clusters", "sweep", "--yes");
    const { items } = await stage.client.of(Secret).list({ namespace: "default" });
    expect(items.map(({ metadata: { name } }) => name)).toEqual(["copy", "eu-1"]);
  });
});
