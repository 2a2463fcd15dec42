// `watch`: the same as `get` and `list`, live.
import { Canary, ReleaseManager } from "@chaski/api/kinds";
import { systemRandom } from "@chaski/clock";
import type { KubeObject } from "@chaski/kube";
import { type CacheFact, type Caches, createCaches } from "@chaski/runtime/follow";
import type { Command } from "commander";
import {
  type ClusterOptions,
  type Session,
  withClusterOptions,
  withOutput,
  withSession,
} from "../cluster/cluster-options.ts";
import { type Everything, listEverything } from "../cluster/everything.ts";
import { explanationOf } from "../cluster/explain.ts";
import { canaryNameIn, findCanary } from "../cluster/find-canary.ts";
import { findReleases, parseReleaseName } from "../cluster/find-release.ts";
import { interruption } from "../terminal/interruption.ts";
import { NewsLog, TerminalScreen } from "../terminal/screen.ts";
import { canaryStanding } from "../views/canary-line.ts";
import { tellCanary } from "../views/canary-list.ts";
import { drawEverything } from "../views/everything.ts";
import { drawWhy } from "../views/gates.ts";
import { type Frame, type Line, line, span, wrap } from "../views/line.ts";
import { releaseOf } from "../views/release.ts";
import { byUrgency } from "../views/release-list.ts";
import { tellRelease } from "../views/release-news.ts";
import { drawTree } from "../views/release-tree.ts";
import { clockTime } from "../views/times.ts";

const REDRAW_MS = 200;

export function addWatch(program: Command): void {
  const command = program
    .command("watch [app[/target]]")
    .description(
      "Show an app, one of its targets, canary/NAME or everything, live, until Ctrl-C; as plain lines without a terminal.",
    );
  withOutput(withClusterOptions(command), "json prints each new version of an object, a line each").action(
    (name: string | undefined, options: ClusterOptions) =>
      withSession(options, async (session) => {
        // What can be told to be wrong is told before anything is drawn.
        const subject = await subjectOf(session, name);
        await watch(session, subject, options);
      }),
  );
}

/** What is watched, and which of it is meant; what is absent is not watched. */
interface Subject {
  readonly name: string | undefined;
  readonly isRelease?: (release: ReleaseManager) => boolean;
  readonly isCanary?: (canary: Canary) => boolean;
}

async function subjectOf(session: Session, name: string | undefined): Promise<Subject> {
  if (name === undefined) {
    const { kinds } = await listEverything(session.client, { namespace: session.namespace, limit: 1 });
    return {
      name,
      ...(kinds.includes(ReleaseManager) && { isRelease: () => true }),
      ...(kinds.includes(Canary) && { isCanary: () => true }),
    };
  }
  const canary = canaryNameIn(name);
  if (canary !== undefined) {
    await findCanary(session, canary);
    return { name, isCanary: ({ metadata }) => metadata.name === canary };
  }
  await findReleases(session, name);
  const { app, target } = parseReleaseName(name);
  return { name, isRelease: ({ spec }) => spec.app === app && (target === undefined || spec.target === target) };
}

async function watch(session: Session, subject: Subject, { output }: ClusterOptions): Promise<void> {
  const { client, clock, namespace } = session;
  const { isRelease, isCanary } = subject;
  using interrupt = interruption();
  const link = new Link();
  const caches = createCaches({
    client,
    clock,
    random: systemRandom,
    report: (_, fact) => link.note(fact, clock.now()),
  });
  if (isRelease) caches.declare(ReleaseManager, { namespace });
  if (isCanary) caches.declare(Canary, { namespace });
  caches.start(interrupt.signal);
  if (output === "json") {
    tellObjects(caches, subject);
    await interrupt.ended;
  } else {
    const show = process.stdout.isTTY ? onTerminal(subject.name) : asLog();
    while (!interrupt.signal.aborted) {
      if (caches.hasSynced || link.problem) show.draw(seenIn(caches, subject), link, clock.now());
      await clock.sleep(REDRAW_MS, interrupt.signal).catch(() => undefined);
    }
    show.close();
  }
  await caches.stopped();
}

function tellObjects(caches: Caches, { isRelease, isCanary }: Subject): void {
  const tell = (object: KubeObject): void => console.log(JSON.stringify(object));
  if (isRelease) caches.of(ReleaseManager).subscribe(({ object }) => isRelease(object) && tell(object));
  if (isCanary) caches.of(Canary).subscribe(({ object }) => isCanary(object) && tell(object));
}

function seenIn(caches: Caches, { isRelease, isCanary }: Subject): Seen {
  return {
    releases: isRelease ? caches.of(ReleaseManager).list().filter(isRelease) : [],
    canaries: isCanary ? caches.of(Canary).list().filter(isCanary) : [],
  };
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

type Seen = Pick<Everything, "releases" | "canaries">;

interface Show {
  draw(seen: Seen, link: Link, nowMs: number): void;
  close(): void;
}

function onTerminal(name: string | undefined): Show {
  const screen = new TerminalScreen(process.stdout);
  return {
    draw: (seen, link, nowMs) => {
      const frame = { columns: screen.columns, nowMs };
      const news = drawLink(link, frame);
      screen.show([...news, ...drawSeen(seen, name, frame)], news.length + 1);
    },
    close: () => screen.close(),
  };
}

function drawSeen(seen: Seen, name: string | undefined, frame: Frame): readonly Line[] {
  const { releases, canaries } = seen;
  if (releases.length + canaries.length === 0)
    return [line(name === undefined ? "There are no releases here yet." : `${name} is gone.`)];
  if (name === undefined) return drawEverything(seen, frame, byUrgency);
  const pictures = [
    ...releases.map((release) => drawTree(releaseOf(release), frame)),
    ...canaries.map((canary) => drawWhy(canaryStanding(canary), frame)),
  ];
  return pictures.flatMap((picture, index) => [...(index > 0 ? [line("")] : []), ...picture]);
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
    draw: ({ releases, canaries }, { problem, hasRecovered }) => {
      const link = problem ? [`chaski: ${problem.message}; trying again`] : hasRecovered ? [AGAIN] : [];
      log.tell([
        ...link,
        ...releases.map(releaseOf).toSorted(byUrgency).flatMap(tellRelease),
        ...canaries.flatMap(tellCanary),
      ]);
    },
    close: () => {},
  };
}
