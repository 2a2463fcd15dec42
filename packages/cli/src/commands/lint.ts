// `lint`: what the webhook would say, before anything is sent, with line and column.
import { readFile } from "node:fs/promises";
import { type Canary, CANARY_GROUP, lintRevision, parseCanary, type Problem, releaseKeys } from "@chaski/api";
import { type Command, Option } from "commander";
import { type Document, LineCounter, parseAllDocuments } from "yaml";
import { CliError, EXIT, type Finish } from "../exit.ts";
import { examples } from "../help.ts";

interface Finding {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly message: string;
}

const BYTES_MAX = 10 * 1024 * 1024;

export function addLint(program: Command, finish: Finish): void {
  program
    .command("lint")
    .description("Check manifests as the admission webhook would; exit code 1 if something is wrong.")
    .addHelpText(
      "after",
      examples("lint -f revision.yaml", "lint -f canary.yaml other.yaml", "lint -f - < revision.yaml"),
    )
    .requiredOption("-f, --file <file...>", "YAML or JSON files; - for standard input")
    .addOption(new Option("-o, --output <format>", "json prints the findings").choices(["json"]))
    .action(async ({ file, output }: { readonly file: readonly string[]; readonly output?: string }) => {
      const findings = (await Promise.all(file.map(async (name) => lintText(name, await read(name))))).flat();
      if (output === "json") console.log(JSON.stringify(findings, null, 2));
      else
        for (const each of findings)
          console.log(`${each.file}:${each.line}:${each.column}: ${each.path}: ${each.message}`);
      finish(findings.length === 0 ? EXIT.ok : EXIT.failed);
    });
}

async function read(file: string): Promise<string> {
  const content = await readFile(file === "-" ? "/dev/stdin" : file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    throw new CliError(`${file} can't be read: ${cause.code ?? cause.message}`, EXIT.usage);
  });
  if (content.length > BYTES_MAX) throw new CliError(`${file} is larger than 10 MiB`, EXIT.usage);
  return content;
}

export function lintText(file: string, text: string): readonly Finding[] {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, keepSourceTokens: false });
  return [...documents].flatMap((document) => lintDocument(file, document as Document, lines));
}

function lintDocument(file: string, document: Document, lines: LineCounter): readonly Finding[] {
  const at = (offset: number): { line: number; column: number } => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const broken = document.errors.map(({ pos, message }) => ({
    file,
    ...at(pos[0]),
    path: "",
    message: message.split("\n")[0] ?? "",
  }));
  if (broken.length > 0) return broken;
  return problemsOf(document.toJS({ maxAliasCount: 100 })).map(({ path, message }) => ({
    file,
    ...at(offsetOf(document, path)),
    path,
    message,
  }));
}

function problemsOf(object: unknown): readonly Problem[] {
  const { apiVersion = "", kind } = (object ?? {}) as Partial<Canary>;
  switch (`${apiVersion.split("/")[0]} ${kind}`) {
    case `${CANARY_GROUP} Canary`:
      return canaryProblems(object as Partial<Canary>);
    case `${releaseKeys.RELEASES_GROUP} Revision`:
      return lintRevision(object).problems;
    default:
      return [];
  }
}

function canaryProblems({ metadata, spec }: Partial<Canary>): readonly Problem[] {
  const parsed = parseCanary(metadata?.name ?? "", spec ?? {});
  return parsed.isValid ? [] : parsed.problems;
}

/** Where the path stands; of an absent field, where its nearest parent stands. */
function offsetOf(document: Document, path: string): number {
  const keys = keysOf(path);
  for (let length = keys.length; length > 0; length--) {
    const node = document.getIn(keys.slice(0, length), true) as
      | { readonly range?: readonly [number, number, number] }
      | undefined;
    if (node?.range) return node.range[0];
  }
  return 0;
}

/** `spec.targets[0].podAnnotations[a.b/c]`: names, positions, and keys that have dots in them. */
function keysOf(path: string): readonly (string | number)[] {
  return [...path.matchAll(/\[(?<key>[^\]]*)\]|(?<name>[^.[\]]+)/g)].map(({ groups }) => {
    const key = groups?.["key"] ?? groups?.["name"] ?? "";
    return groups?.["key"] !== undefined && /^\d+$/.test(key) ? Number(key) : key;
  });
}
