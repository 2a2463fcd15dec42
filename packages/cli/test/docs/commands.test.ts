// Every command of the pages, as a reader would type it, on the fleet of `npm start`.
import { findAssets } from "@chaski/test/kube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { follow } from "./follow.ts";
import { readPages, typedIn } from "./pages.ts";
import { needsKubectl, needsRealServer, ruleFor } from "./rules.ts";
import { Shell } from "./shell.ts";
import { type DemoStage, demoStage } from "./stage.ts";

const pages = readPages().filter((page) => typedIn(page).length > 0);

test("a rule says how each is run", () => {
  const commands = pages.flatMap((page) => typedIn(page).map(({ command }) => command));
  expect(commands.length).toBeGreaterThan(20);
  expect(commands.filter((command) => ruleFor(command) === undefined)).toEqual([]);
});

const assets = findAssets(process.env, ["kubectl"]);

describe("a reader who does what the page says gets what it promises:", () => {
  let stage: DemoStage | undefined;
  beforeAll(async () => {
    stage = await demoStage();
  }, 240_000);
  afterAll(() => stage?.[Symbol.asyncDispose]());

  const here = pages.filter((page) => !typedIn(page).some(({ command }) => needsRealServer(command)));
  for (const page of here) {
    const isOutOfReach = assets === undefined && typedIn(page).some(({ command }) => needsKubectl(command));
    const why = isOutOfReach ? " needs kubectl, which `npm run kube:assets` provides" : "";
    test.skipIf(isOutOfReach)(`${page.path}${why}`, { timeout: 120_000 }, async () => {
      await using shell = await Shell.open({ files: stage?.files ?? {}, assets });
      await follow(page, shell);
    });
  }
});
