// `fail` and `rollback`: a revision is bad. The engine does the rest; who takes over is told before anything is written.
import { type ReleaseManager, releaseKeys, Revision } from "@chaski/api/kinds";
import { formatTimestamp } from "@chaski/kube";
import type { Command } from "commander";
import {
  type ClusterOptions,
  FIELD_MANAGER,
  type Session,
  withClusterOptions,
  withOutput,
  withSession,
} from "../cluster/cluster-options.ts";
import { confirm } from "../terminal/confirm.ts";
import { report } from "../terminal/print.ts";
import { CliError, EXIT } from "../usage/exit.ts";
import { findRelease, revisionsOf } from "../cluster/find-release.ts";
import { retryConflicts } from "../cluster/retry-conflicts.ts";
import { chosenTag } from "./promote.ts";

interface Options extends ClusterOptions {
  readonly reason: string;
  readonly yes: boolean;
}

export function addFail(program: Command): void {
  declare(
    program.command("fail <app[/target]> <tag>"),
    "Mark a revision as bad, on every target; what traffic it has goes to another.",
    fail,
  );
}

export function addRollback(program: Command): void {
  declare(
    program.command("rollback <app[/target]> [tag]"),
    "Take the newest revision that has traffic, or the one of the tag, out: it is marked as bad and another takes over.",
    rollBack,
  );
}

type Action = (session: Session, found: Found, tag: string | undefined, options: Options) => Promise<void>;

interface Found {
  readonly name: string;
  readonly release: ReleaseManager;
  readonly revisions: readonly Revision[];
}

function declare(command: Command, description: string, act: Action): void {
  withOutput(withClusterOptions(command.description(description)))
    .requiredOption("--reason <text>", "why; it is kept on the Revision")
    .option("-y, --yes", "do not ask", false)
    .action((name: string, tag: string | undefined, options: Options) =>
      withSession(options, async (session) => {
        const release = await findRelease(session, name);
        const revisions = await revisionsOf(session, release);
        const found = { name: `${release.spec.app}/${release.spec.target}`, release, revisions };
        await act(session, found, tag, options);
      }),
    );
}

async function fail(session: Session, found: Found, tag: string | undefined, options: Options): Promise<void> {
  const chosen = chosenTag(found.release, tag);
  const effect =
    percentOf(found.release, chosen) > 0 ? await takeover(session, found, chosen) : `${chosen} has no traffic.`;
  await confirm(
    `${effect ?? `Nobody can take over from ${chosen}: it keeps its traffic.`} Mark it as bad${everywhere(found, chosen)}?`,
    options.yes,
  );
  await markFailed(session, found, chosen, options);
}

async function rollBack(session: Session, found: Found, tag: string | undefined, options: Options): Promise<void> {
  const chosen = tag === undefined ? servingTag(found) : chosenTag(found.release, tag);
  if (percentOf(found.release, chosen) === 0)
    throw new CliError(`${chosen} has no traffic: \`chaski fail ${found.name} ${chosen}\` marks it as bad`, EXIT.usage);
  const effect = await takeover(session, found, chosen);
  if (effect === undefined)
    throw new CliError(
      `nobody can take over from ${chosen}: every other revision is gone or failed; deploy a good one first, or \`chaski fail ${found.name} ${chosen}\` marks it nevertheless`,
    );
  await confirm(`${effect} Roll back${everywhere(found, chosen)}?`, options.yes);
  await markFailed(session, found, chosen, options);
}

function percentOf({ status }: ReleaseManager, tag: string): number {
  return status?.revisions?.find((entry) => entry.tag === tag)?.currentPercent ?? 0;
}

/** The newest with traffic: what a release that goes wrong is about. */
function servingTag({ name, release }: Found): string {
  const serving = release.status?.revisions?.findLast(({ currentPercent }) => currentPercent > 0);
  if (serving === undefined) throw new CliError(`${name} has no traffic: there is nothing to roll back`);
  if (serving.state.current === "failing")
    throw new CliError(`${serving.tag} of ${name} is being rolled back already: \`chaski watch ${name}\` shows it`);
  return serving.tag;
}

/** Who takes over, by the engine's own rule; undefined if nobody can. */
async function takeover({ clock }: Session, { release, revisions }: Found, tag: string): Promise<string | undefined> {
  const { takerIfFailed } = await import("@chaski/operator");
  const taker = takerIfFailed({ releaseManager: release, revisions, nowMs: clock.now() }, tag);
  return taker === undefined ? undefined : `${taker} takes over the ${percentOf(release, tag)} % of ${tag}.`;
}

/** A Revision is bad as a whole: its other targets lose it too. */
function everywhere({ release, revisions }: Found, tag: string): string {
  const revision = revisions.find(({ spec }) => spec.app.tag === tag);
  const others = (revision?.spec.targets ?? []).map(({ name }) => name).filter((name) => name !== release.spec.target);
  return others.length > 0 ? `, on ${others.join(", ")} too` : "";
}

async function markFailed(session: Session, { name, revisions }: Found, tag: string, options: Options): Promise<void> {
  const metadata = revisions.find(({ spec }) => spec.app.tag === tag)?.metadata;
  if (!metadata) throw new CliError(`the Revision of ${tag} is gone: there is nothing to mark`, EXIT.notFound);
  const key = { namespace: metadata.namespace ?? "", name: metadata.name };
  const marked = await retryConflicts(async () => {
    const revision = await session.client.of(Revision).get(key);
    if (revision.spec.failed) return revision;
    const { failedAt, reason } = releaseKeys.annotations;
    const annotations = { [failedAt]: formatTimestamp(session.clock.now()), [reason]: options.reason };
    const { resourceVersion } = revision.metadata;
    const patch = { metadata: { resourceVersion, annotations }, spec: { failed: true } };
    return session.client.of(Revision).patch(key, "merge", patch, { fieldManager: FIELD_MANAGER });
  });
  const reason = marked.metadata.annotations?.[releaseKeys.annotations.reason] ?? options.reason;
  report(options, marked, `${tag} is marked as bad: ${reason}. \`chaski watch ${name}\` shows what comes of it.`);
}
