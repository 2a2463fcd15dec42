// `pause` and `resume`: whether anything is promoted. A roll-back goes on in either case.
import { releaseKeys } from "@chaski/api/kinds";
import type { Command } from "commander";
import { type ClusterOptions, withClusterOptions, withOutput } from "../cluster/cluster-options.ts";
import { whoAmI } from "../cluster/who-am-i.ts";
import { annotateRelease } from "./release-annotation.ts";

const { paused, pausedBy } = releaseKeys.annotations;

export function addPause(program: Command): void {
  const command = program
    .command("pause <app[/target]>")
    .description("Promote nothing until it is resumed; a roll-back still runs.")
    .requiredOption("--reason <text>", "why; `chaski why` shows it");
  withOutput(withClusterOptions(command)).action(
    (name: string, options: ClusterOptions & { readonly reason: string }) =>
      annotateRelease(name, options, async ({ spec }, { client }) => ({
        annotations: { [paused]: options.reason, [pausedBy]: (await whoAmI(client)) ?? null },
        done: `${spec.app}/${spec.target} is paused: ${options.reason}. \`chaski resume ${spec.app}/${spec.target}\` ends it.`,
      })),
  );
}

export function addResume(program: Command): void {
  const command = program.command("resume <app[/target]>").description("End a pause.");
  withOutput(withClusterOptions(command))
    .option("--reason <text>", "why")
    .action((name: string, options: ClusterOptions & { readonly reason?: string }) =>
      annotateRelease(name, options, ({ metadata, spec }) => ({
        annotations: {
          [paused]: null,
          [pausedBy]: null,
          ...(options.reason ? { [releaseKeys.annotations.reason]: options.reason } : {}),
        },
        done:
          metadata.annotations?.[paused] === undefined
            ? `${spec.app}/${spec.target} was not paused.`
            : `${spec.app}/${spec.target} goes on.`,
      })),
    );
}
