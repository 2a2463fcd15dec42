// What a person does with a Canary: one patch each, and what came of it.
import { APPROVES_ANNOTATION, BATCHES_MAX, Canary, type CanarySpec } from "@chaski/api";
import type { Command } from "commander";
import { wholeNumber } from "../usage/arguments.ts";
import {
  type ClusterOptions,
  FIELD_MANAGER,
  withClusterOptions,
  withOutput,
  withSession,
} from "../cluster/cluster-options.ts";
import { CliError } from "../usage/exit.ts";
import { findCanary } from "../cluster/find-canary.ts";
import { report, say } from "../terminal/print.ts";
import { describeCanary } from "../views/canary-line.ts";

const batchNumber = wholeNumber(1, BATCHES_MAX, "the number of a batch");

interface Options extends ClusterOptions {
  readonly to?: number;
}

export function addCanary(program: Command): void {
  const canary = program
    .command("canary")
    .description("Approve, retreat, roll back or show a Canary.")
    .helpCommand(false);
  const add = (name: string, description: string): Command =>
    withOutput(withClusterOptions(canary.command(`${name} <name>`).description(description)));
  add("status", "Show where the release stands.").action((name: string, options: Options) =>
    withSession(options, async (session) => show(await findCanary(session, name), options)),
  );
  add("approve", "Approve the next batch, or those up to --to.")
    .option("--to <batch>", "approve up to this batch", batchNumber)
    .action((name: string, options: Options) => change(name, options, approval));
  add("retreat", "Go back to the batch before, or to --to, and hold there.")
    .option("--to <batch>", "retreat to this batch", batchNumber)
    .action((name: string, options: Options) => change(name, options, retreat));
  add("rollback", "Let the older version take over again.").action((name: string, options: Options) =>
    change(name, options, rollback),
  );
}

type Fields = Pick<CanarySpec, "currentBatch" | "type">;
/** What is written, and what that means. */
type Change = (canary: Canary, to: number | undefined) => readonly [Fields, string];

function approval(canary: Canary, to: number | undefined): readonly [Fields, string] {
  const currentBatch = to ?? releaseOf(canary).currentBatch + 1;
  return [{ currentBatch }, `is approved up to batch ${currentBatch}`];
}

function rollback(): readonly [Fields, string] {
  return [{ type: "CanaryRollback" }, "goes back: the older version takes over again"];
}

function retreat(canary: Canary, to: number | undefined): readonly [Fields, string] {
  const { currentBatch } = releaseOf(canary);
  const target = to ?? currentBatch - 1;
  if (target < 1)
    throw new CliError(
      `${canary.metadata.name} is in batch 1: there is none to retreat to; \`chaski canary rollback ${canary.metadata.name}\` undoes the release`,
    );
  if (target >= currentBatch)
    throw new CliError(`${canary.metadata.name} is in batch ${currentBatch}: a retreat goes to an earlier one`);
  return [{ currentBatch: target }, `goes back to batch ${target}, and holds there`];
}

function releaseOf({ metadata, status }: Canary): { readonly currentBatch: number } {
  if (status?.currentBatch === undefined) {
    throw new CliError(
      `${metadata.name} has no release in batches: is the operator running, and the type CanaryDeploy?`,
    );
  }
  return { currentBatch: status.currentBatch };
}

async function change(name: string, options: Options, by: Change): Promise<void> {
  await withSession(options, async (session) => {
    const canary = await findCanary(session, name);
    const key = { namespace: session.namespace, name };
    const [fields, done] = by(canary, options.to);
    const patch = patchFor(canary, fields);
    const changed = await session.client.of(Canary).patch(key, "merge", patch, { fieldManager: FIELD_MANAGER });
    report(options, changed, `${name} ${done}. \`chaski canary status ${name}\` shows what comes of it.`);
  });
}

/** In the form that the user chose, with the version that was looked at; the revision tells what is approved. */
function patchFor({ metadata, spec, status }: Canary, fields: Fields): Record<string, unknown> {
  const texts = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, String(value)]));
  const annotations =
    fields.currentBatch !== undefined && status?.revision ? { [APPROVES_ANNOTATION]: status.revision } : {};
  return {
    metadata: { resourceVersion: metadata.resourceVersion, annotations },
    spec: spec.info === undefined ? fields : { info: texts },
  };
}

function show(canary: Canary, options: ClusterOptions): void {
  if (options.output === "json") report(options, canary, "");
  else for (const text of describeCanary(canary)) say(text);
}
