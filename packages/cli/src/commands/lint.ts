// `lint`: what the webhook would say, before anything is sent, with line and column.
import { readFile } from "node:fs/promises";
import { type Canary, CANARY_GROUP, lintCanary, lintRevision, type Problem, releaseKeys } from "@chaski/api";
import { readYaml } from "@chaski/operator/located-yaml";
import { type Command, Option } from "commander";
import { CliError, EXIT, type Finish } from "../usage/exit.ts";
import { examples } from "../usage/help.ts";

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
        for (const { file: name, line, column, path, message } of findings)
          console.log(`${name}:${line}:${column}: ${path === "" ? "" : `${path}: `}${message}`);
      finish(findings.length === 0 ? EXIT.ok : EXIT.failed);
    });
}

async function read(file: string): Promise<string> {
  const content = await readFile(file === "-" ? "/dev/stdin" : file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    throw new CliError(`${file} can't be read (${cause.code ?? cause.message}); name a file that exists`, EXIT.usage);
  });
  if (content.length > BYTES_MAX) throw new CliError(`${file} is larger than 10 MiB`, EXIT.usage);
  return content;
}

/** Of what is no YAML only the first fault is told: the others are its echoes, a page of them. */
export function lintText(file: string, text: string): readonly Finding[] {
  return readYaml(text).flatMap(({ errors, value, placeOf }) =>
    errors.length > 0
      ? errors.slice(0, 1).map((error) => ({ file, path: "", ...error }))
      : problemsOf(value).map(({ path, message }) => ({ file, ...placeOf(path), path, message })),
  );
}

function problemsOf(object: unknown): readonly Problem[] {
  const { apiVersion = "", kind } = (object ?? {}) as Partial<Canary>;
  switch (`${apiVersion.split("/")[0]} ${kind}`) {
    case `${CANARY_GROUP} Canary`:
      return lintCanary(object as Partial<Canary>);
    case `${releaseKeys.RELEASES_GROUP} Revision`:
      return lintRevision(object).problems;
    default:
      return [];
  }
}
