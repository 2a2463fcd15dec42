// The pages whose commands need binaries that not every machine has.
import { ensureAssets } from "@chaski/test/kube";
import { afterAll, beforeAll, test } from "vitest";
import { follow } from "./follow.ts";
import { readPages, typedIn } from "./pages.ts";
import { needsKubectl, needsRealServer } from "./rules.ts";
import { Shell } from "./shell.ts";
import { type DemoStage, demoStage } from "./stage.ts";

let stage: DemoStage | undefined;
beforeAll(async () => {
  stage = await demoStage();
});
afterAll(() => stage?.[Symbol.asyncDispose]());

const pages = readPages().filter((page) =>
  typedIn(page).some(({ command }) => needsKubectl(command) || needsRealServer(command)),
);

test.each(pages)("a reader who does what $path says gets what it promises", async (page) => {
  const assets = await ensureAssets({ env: process.env, log: console.error });
  await using shell = await Shell.open({ files: stage?.files ?? {}, assets });
  await follow(page, shell);
});
