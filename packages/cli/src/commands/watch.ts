// `watch`: the same as `get` and `list`, live.
import { ReleaseManager } from "@chaski/api/kinds";
import { systemRandom } from "@chaski/clock";
import { type CacheFact, createCaches } from "@chaski/runtime/connect";
import type { Command } from "commander";
import { type ClusterOptions, type Session, withClusterOptions, withOutput, withSession } from "../cluster-options.ts";
import type { Finish } from "../exit.ts";
import { explanationOf } from "../explain.ts";
import { findReleases, parseReleaseName } from "../find-release.ts";
import { interruption } from "../interruption.ts";
import { NewsLog, TerminalScreen } from "../screen.ts";
import { type Frame, type Line, line, span, wrap } from "../views/line.ts";
import { type Release, releaseOf } from "../views/release.ts";
import { byUrgency, drawList } from "../views/release-list.ts";
import { tellRelease } from "../views/release-news.ts";
import { drawTree } from "../views/release-tree.ts";
import { clockTime } from "../views/times.ts";

const REDRAW_MS = 200;

export function addWatch(program: Command, _finish: Finish): void {
  const command = program
    .command("watch [app[/target]]")
    .description(
      "Show an app, one of its targets or every release, live, until Ctrl-C; as plain lines where there is no terminal.",
    );
  withOutput(withClusterOptions(command), "json prints each new version of an object, a line each").action(
    (name: string | undefined, options: ClusterOptions) =>
      withSession(options, async (session) => {
        // What can be told to be wrong is told before anything is drawn.
        if (name === undefined)
          await session.client.of(ReleaseManager).list({ namespace: session.namespace, limit: 1 });
        else await findReleases(session, name);
        await watch(session, name, options);
      }),
  );
}

async function watch(session: Session, name: string | undefined, { output }: ClusterOptions): Promise<void> {
  const { client, clock, namespace } = session;
  using interrupt = interruption();
  const link = new Link();
  const caches = createCaches({
    client,
    clock,
    random: systemRandom,
    report: (_, fact) => link.note(fact, clock.now()),
  });
  caches.declare(ReleaseManager, { namespace });
  caches.start(interrupt.signal);
  const isMeant = meantBy(name);
  if (output === "json") {
    caches.of(ReleaseManager).subscribe(({ object }) => isMeant(object) && console.log(JSON.stringify(object)));
    await interrupt.ended;
  } else {
    const show = process.stdout.isTTY ? onTerminal(name) : asLog();
    while (!interrupt.signal.aborted) {
      const releases = caches.of(ReleaseManager).list().filter(isMeant).map(releaseOf);
      if (caches.hasSynced || link.problem) show.draw(releases, link, clock.now());
      await clock.sleep(REDRAW_MS, interrupt.signal).catch(() => undefined);
    }
    show.close();
  }
  await caches.stopped();
}

function meantBy(name: string | undefined): (release: ReleaseManager) => boolean {
  if (name === undefined) return () => true;
  const { app, target } = parseReleaseName(name);
  return ({ spec }) => spec.app === app && (target === undefined || spec.target === target);
}

/** Whether the server can be heard. */
class Link {
  #problem: { readonly message: string; readonly retryAtMs: number } | undefined;
  #heardMs: number | undefined;
  #hasRecovered = false;

  note(fact: CacheFact, nowMs: number): void {
    if (fact.type === "failed") {
      this.#problem = { message: explanationOf(fact.error).message, retryAtMs: nowMs + fact.retryInMs };
    } else if (fact.type === "heard" || fact.type === "listed") {
      this.#hasRecovered ||= this.#problem !== undefined;
      this.#problem = undefined;
      this.#heardMs = nowMs;
    }
  }

  get problem(): { readonly message: string; readonly retryAtMs: number } | undefined {
    return this.#problem;
  }

  get hasRecovered(): boolean {
    return this.#hasRecovered && this.#problem === undefined;
  }

  get heardMs(): number | undefined {
    return this.#heardMs;
  }
}

interface Show {
  draw(releases: readonly Release[], link: Link, nowMs: number): void;
  close(): void;
}

function onTerminal(name: string | undefined): Show {
  const screen = new TerminalScreen(process.stdout);
  return {
    draw: (releases, link, nowMs) => {
      const frame = { columns: screen.columns, nowMs };
      const news = drawLink(link, frame);
      screen.show([...news, ...drawReleases(releases, name, frame)], news.length + 1);
    },
    close: () => screen.close(),
  };
}

function drawReleases(releases: readonly Release[], name: string | undefined, frame: Frame): readonly Line[] {
  if (releases.length === 0) return [line(name === undefined ? "There are no releases here yet." : `${name} is gone.`)];
  if (name === undefined) return drawList(releases.toSorted(byUrgency), frame);
  return releases.flatMap((release, index) => [...(index > 0 ? [line("")] : []), ...drawTree(release, frame)]);
}

function drawLink({ problem, heardMs }: Link, frame: Frame): readonly Line[] {
  if (!problem) return [];
  const seconds = Math.max(0, Math.ceil((problem.retryAtMs - frame.nowMs) / 1000));
  const seen = heardMs === undefined ? "" : ` What you see is from ${clockTime(heardMs, frame, 0)}.`;
  const text = `${problem.message}. Trying again in ${seconds} s.${seen}`;
  return [...wrap(text, frame.columns).map((part) => line(span(part, "red"))), line("")];
}

const AGAIN = "chaski: the server answers again";

function asLog(): Show {
  const log = new NewsLog();
  return {
    draw: (releases, { problem, hasRecovered }) => {
      const link = problem ? [`chaski: ${problem.message}; trying again`] : hasRecovered ? [AGAIN] : [];
      log.tell([...link, ...releases.toSorted(byUrgency).flatMap(tellRelease)]);
    },
    close: () => {},
  };
}
