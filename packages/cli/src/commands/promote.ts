// `promote`: schedule, canary time and delay do not hold a tag any more; capacity and evidence still do.
import { type ReleaseManager, releaseKeys } from "@chaski/api/kinds";
import type { Command } from "commander";
import { type ClusterOptions, withClusterOptions, withOutput } from "../cluster/cluster-options.ts";
import { didYouMean } from "../usage/did-you-mean.ts";
import { CliError, EXIT } from "../usage/exit.ts";
import { annotateRelease } from "./release-annotation.ts";

interface Options extends ClusterOptions {
  readonly reason?: string;
}

export function addPromote(program: Command): void {
  const command = program
    .command("promote <app[/target]> [tag]")
    .description(
      "Let the newest revision, or the one of the tag, go on without waiting for schedule, canary time and delay; capacity and evidence still hold it.",
    );
  withOutput(withClusterOptions(command))
    .option("--reason <text>", "why")
    .action((name: string, tag: string | undefined, options: Options) =>
      annotateRelease(name, options, (release) => {
        const chosen = chosenTag(release, tag);
        const { promote, reason } = releaseKeys.annotations;
        return {
          annotations: { [promote]: chosen, ...(options.reason ? { [reason]: options.reason } : {}) },
          done: `${chosen} of ${release.spec.app}/${release.spec.target} is promoted: only capacity and evidence hold it now.`,
        };
      }),
    );
}

/** The tag that is named, if there is such a one; else the newest that is not there yet. */
export function chosenTag({ spec, status }: ReleaseManager, tag: string | undefined): string {
  const entries = status?.revisions ?? [];
  const tags = entries.map((entry) => entry.tag);
  const where = `${spec.app}/${spec.target}`;
  if (tag !== undefined) {
    if (tags.includes(tag)) return tag;
    const hint = didYouMean(tag, tags) || `; there are ${tags.toReversed().slice(0, 10).join(", ") || "none"}`;
    throw new CliError(`${where} has no revision ${tag}${hint}`, EXIT.notFound);
  }
  const newest = entries.findLast(({ state }) => !SETTLED.has(state.current));
  if (newest) return newest.tag;
  throw new CliError(`nothing of ${where} is on its way; name a tag if you mean another one`);
}

const SETTLED: ReadonlySet<string> = new Set([
  "released",
  "retired",
  "retiring",
  "failed",
  "failing",
  "deleting",
  "deleted",
]);
