import { readFileSync } from "node:fs";
import { seededRandom, VirtualClock } from "@chaski/clock";
import { createEmbeddedCluster } from "@chaski/embedded";
import { ConfigMap, CoreEvent, CustomResourceDefinition, isTrue } from "@chaski/kube";
import { createClient, createRuntime, silentLogger, undisputed } from "@chaski/runtime";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { operator, Site } from "./operator.ts";

test("the example has sixty lines of code at most", () => {
  const lines = readFileSync("docs/example/operator.ts", "utf8")
    .split("\n")
    .map((line) => line.trim());
  const code = lines.filter((line) => line !== "" && !line.startsWith("//") && !line.startsWith("/**"));
  expect(code.length).toBeLessThanOrEqual(60);
});

test("the example operator keeps a page for every Site, and mends it", async () => {
  const clock = new VirtualClock();
  const random = seededRandom(1);
  const cluster = await createEmbeddedCluster({ clock, random });
  const user = createClient({ cluster: "user", transport: cluster.transport, clock, random });
  await user.of(CustomResourceDefinition).create(parse(readFileSync("docs/example/site-crd.yaml", "utf8")));
  const runtime = createRuntime({
    name: operator.name,
    controllers: operator.controllers,
    instance: "test",
    version: "1.0.0",
    delivery: { name: "test", transport: cluster.transport },
    clock,
    random,
    log: silentLogger,
    leadership: undisputed,
    isFrozen: true,
  });
  await runtime.start();
  const key = { namespace: "default", name: "home" };
  await user
    .of(Site)
    .create({ apiVersion: "example.chaski.dev/v1", kind: "Site", metadata: key, spec: { title: "Hello" } });
  await clock.advance(5_000);

  const page = { namespace: "default", name: "home-page" };
  expect((await user.of(ConfigMap).get(page)).data).toEqual({ "index.html": "<h1>Hello</h1>" });
  expect(isTrue((await user.of(Site).get(key)).status?.conditions, "Ready")).toBe(true);
  const events = await user.of(CoreEvent).list({ namespace: "default" });
  expect(events.items.map(({ reason }) => reason)).toEqual(["Publishing"]);

  await user.of(ConfigMap).patch(page, "merge", { data: { "index.html": "defaced" } });
  await clock.advance(5_000);
  expect((await user.of(ConfigMap).get(page)).data).toEqual({ "index.html": "<h1>Hello</h1>" });
  await runtime.stop();
});
