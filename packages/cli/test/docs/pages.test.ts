// What the pages say of the program and of the checkout is so.
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Canary, Cluster, ClusterSecrets, FaultInjector, Mirror, parseOperatorConfig, Revision } from "@chaski/api";
import { apiVersionOf, type Kind, type KubeObject } from "@chaski/kube";
import type { Command } from "commander";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { wholeProgram } from "../program.ts";
import { type CliStage, cliStage } from "../stage.ts";
import { inlineCode, manifestsIn, type Page, readPages, typedIn } from "./pages.ts";
import { TESTS_ELSEWHERE } from "./rules.ts";

const pages = readPages();
const allMarkdown = globSync("{*.md,docs/**/*.md}");

test("a block says what it is written in", () => {
  const languages = new Set(pages.flatMap(({ blocks }) => blocks.map(({ language }) => language)));
  expect([...languages].toSorted()).toEqual(["sh", "text", "ts", "yaml"]);
});

test.each(allMarkdown)("every link of %s leads somewhere", (path) => {
  const links = [...readFileSync(path, "utf8").matchAll(/\]\((?!https?:)(?<file>[^)#\s]*)(#(?<anchor>[^)]*))?\)/g)];
  const broken = links.filter(({ groups }) => {
    const { file = "", anchor } = groups ?? {};
    const target = file === "" ? path : join(dirname(path), file);
    return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

function anchorsOf(path: string): readonly string[] {
  const headings = [...readFileSync(path, "utf8").matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}

test.each(pages)("every path that $path names exists", (page) => {
  const paths = inlineCode(page).filter((code) => /^(packages|docs|bench|test|tools|config|charts)\/\S*$/.test(code));
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

test("every test that runs a command elsewhere exists", () => {
  expect(TESTS_ELSEWHERE.filter((path) => !existsSync(path))).toEqual([]);
});

describe("commands in running text", async () => {
  const program = await wholeProgram();
  const mentioned = (page: Page): readonly string[] => [
    ...inlineCode(page),
    ...typedIn(page).flatMap(({ command }) => command.split(/ \|\|? | && /)),
  ];

  test.each(pages)("every command and flag of chaski that $path names exists", (page) => {
    const lines = mentioned(page).filter((code) => /^(npx |kubectl[ -])?chaski( |$)/.test(code));
    const unknown = lines.flatMap((code) => unknownIn(program, code.replace(/^(npx |kubectl[ -])?chaski ?/, "")));
    expect(unknown).toEqual([]);
  });

  test.each(pages)("every script of npm that $path names exists", (page) => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly scripts: object };
    const names = mentioned(page).flatMap((code) => /^npm (?:run )?(start|test|(?<=run )[\w:]+)/.exec(code)?.[1] ?? []);
    expect(names.filter((name) => !(name in scripts))).toEqual([]);
  });
});

/** Words and flags that the program does not know; what is written in capitals, or is a name, is the reader's. */
function unknownIn(program: Command, text: string): readonly string[] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  let command = program;
  while (command.commands.length > 0 && words[0] !== undefined && !words[0].startsWith("-")) {
    const next = command.commands.find((each) => each.name() === words[0] || each.aliases().includes(words[0] ?? ""));
    if (!next) return [`${command.name()} ${words[0]}`];
    command = next;
    words.shift();
  }
  const flags = words.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.replace(/=.*$/, ""));
  const known = [...command.options.flatMap(({ short, long }) => [short, long]), "--help", "-h"];
  return flags.filter((flag) => !known.includes(flag)).map((flag) => `${command.name()} ${flag}`);
}

describe("manifests", () => {
  let stage: CliStage;
  beforeAll(async () => {
    stage = await cliStage();
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  const kinds: readonly Kind[] = [Canary, Cluster, ClusterSecrets, FaultInjector, Mirror, Revision];
  const manifests = pages.flatMap((page) =>
    manifestsIn(page).map((text) => [page.path, parse(text) as KubeObject] as const),
  );
  const objects = manifests.filter(([, { apiVersion }]) => !apiVersion.startsWith("chaski.dev/"));

  test.each(objects)("the one in %s is accepted by the API server, to the last field", async (_, object) => {
    const kind = kinds.find((each) => apiVersionOf(each) === object.apiVersion && each.kind === object.kind);
    if (!kind) throw new Error(`${object.apiVersion} ${object.kind} is no kind of ours`);
    const placed = { ...object, metadata: { ...object.metadata, namespace: "default" } };
    await stage.client.of(kind).create(placed, { dryRun: true, fieldValidation: "Strict" });
  });

  test("the configuration file is valid", () => {
    const [config, ...others] = manifests.filter(([, { kind }]) => kind === "OperatorConfig");
    expect(others).toEqual([]);
    expect(parseOperatorConfig(config?.[1])).toMatchObject({ isValid: true });
  });
});
