// `chaski up`: a fleet in this process, the operator on it, and a story to watch.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Canary, ReleaseManager } from "@chaski/api";
import { type Clock, RealClock, systemRandom } from "@chaski/clock";
import { Deployment } from "@chaski/kube";
import { type Client, type ClusterCaches, createCaches } from "@chaski/runtime";
import { EXIT } from "../usage/exit.ts";
import { interruption } from "../terminal/interruption.ts";
import { NewsLog, TerminalScreen } from "../terminal/screen.ts";
import { releaseOf } from "../views/release.ts";
import { tellRelease } from "../views/release-news.ts";
import { describeCanary } from "../views/canary-line.ts";
import { startFleet } from "./fleet.ts";
import { Ledger } from "./ledger.ts";
import { APP, CANARY, NAMESPACE, NEWER, OLDER, TARGET } from "./objects.ts";
import { startOperator } from "./operator.ts";
import { startPrometheus } from "./prometheus.ts";
import { drawDemo } from "./scene-view.ts";
import { approveIfPaused, BAD_TAG, type Scene, type Stage, story } from "./story.ts";
import { Traffic } from "./traffic.ts";

export interface DemoOptions {
  readonly clusters: number;
  readonly hasStory: boolean;
  /** At speed, checked, without anybody. */
  readonly isOnce: boolean;
}

const FRAME_MS = 100;
/** Counted in frames and not by a clock: a machine that stood still meanwhile has not tried for longer. */
const FRAMES_MAX = 1_500;
const WARNINGS_MAX = 50;

export async function runDemo(options: DemoOptions): Promise<number> {
  const { isOnce, clusters } = options;
  const clock = new RealClock();
  await using stack = new AsyncDisposableStack();
  const fleet = stack.adopt(await startFleet(clock, clusters, isOnce ? 200 : 1_000), (each) => each.close());
  const traffic = new Traffic(fleet.targets, clock, (tag) => (tag === BAD_TAG ? 0.2 : 0.001));
  const prometheus = stack.use(await startPrometheus(traffic));
  const interrupt = stack.use(interruption());
  const file = await writeKubeconfig(fleet.kubeconfig, stack);
  const users = traffic.run(interrupt.signal);
  stack.defer(async () => {
    interrupt.stop();
    await users;
  });
  const warnings: string[] = [];
  const warn = (line: string): void => {
    warnings.push(line);
    if (warnings.length > WARNINGS_MAX) warnings.shift();
  };
  stack.use(await startOperator(fleet.delivery.cluster, { clock, prometheusAddress: prometheus.address, warn }));
  const { client } = fleet.delivery;
  const caches = followed(client, clock);
  caches.start(interrupt.signal);
  await caches.synced(interrupt.signal);
  const stage: Stage = {
    client,
    clusters,
    delayMs: isOnce ? 3_000 : 5_000,
    isUnattended: isOnce,
    now: () => clock.now(),
  };
  return await new Play({
    ...options,
    caches,
    clock,
    stage,
    traffic,
    warnings,
    kubeconfig: file,
    signal: interrupt.signal,
  }).run();
}

async function writeKubeconfig(text: string, stack: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "chaski-"));
  stack.defer(() => rm(folder, { recursive: true }));
  const file = join(folder, "kubeconfig");
  await writeFile(file, text, { mode: 0o600 });
  return file;
}

function followed(client: Client, clock: Clock): ClusterCaches {
  const caches = createCaches({ client, clock, random: systemRandom });
  caches.declare(ReleaseManager, { namespace: NAMESPACE });
  caches.declare(Canary, { namespace: NAMESPACE });
  caches.declare(Deployment, { namespace: NAMESPACE });
  return caches;
}

interface PlayOptions extends DemoOptions {
  readonly caches: ClusterCaches;
  readonly clock: Clock;
  readonly stage: Stage;
  readonly traffic: Traffic;
  /** The last ones of the operator: shown if the story did not go as promised. */
  readonly warnings: readonly string[];
  readonly kubeconfig: string;
  readonly signal: AbortSignal;
}

class Play {
  readonly #options: PlayOptions;
  readonly #ledger = new Ledger();
  readonly #log = new NewsLog();
  readonly #screen: TerminalScreen | undefined;
  #step = -1;

  constructor(options: PlayOptions) {
    this.#options = options;
    this.#screen = process.stdout.isTTY && !options.isOnce ? new TerminalScreen(process.stdout) : undefined;
    options.caches.of(ReleaseManager).subscribe(({ object }) => this.#ledger.note(object));
  }

  async run(): Promise<number> {
    const { clock, signal, isOnce, kubeconfig } = this.#options;
    if (!this.#screen) console.log(`export KUBECONFIG=${kubeconfig}`);
    for (let frame = 1; !signal.aborted; frame++) {
      const scene = this.#look();
      this.#show(scene);
      await this.#goOn(scene);
      if (isOnce && this.#isOver(scene)) return this.#verdict(scene);
      if (isOnce && frame === FRAMES_MAX)
        return this.#verdict(scene, [`it was not finished within ${(FRAMES_MAX * FRAME_MS) / 1000} s`]);
      await clock.sleep(FRAME_MS, signal).catch(() => undefined);
    }
    this.#screen?.close();
    return EXIT.ok;
  }

  #look(): Scene {
    const { caches } = this.#options;
    const deployments = caches.of(Deployment).inNamespace(NAMESPACE);
    return {
      release: caches.of(ReleaseManager).inNamespace(NAMESPACE).get(`${APP}-${TARGET}`),
      canary: caches.of(Canary).inNamespace(NAMESPACE).get(CANARY),
      older: deployments.get(OLDER),
      newer: deployments.get(NEWER),
    };
  }

  async #goOn(scene: Scene): Promise<void> {
    const { stage, hasStory } = this.#options;
    if (stage.isUnattended) await approveIfPaused(stage, scene);
    if (!hasStory || (this.#step >= 0 && !this.#isStepDone(scene)) || this.#step === story.length - 1) return;
    this.#step++;
    if (!this.#screen) console.log(`— ${story[this.#step]?.news}`);
    await story[this.#step]?.begin(stage, scene);
  }

  #isStepDone(scene: Scene): boolean {
    return story[this.#step]?.isDone(scene) ?? true;
  }

  #isOver(scene: Scene): boolean {
    return !this.#options.hasStory || (this.#step === story.length - 1 && this.#isStepDone(scene));
  }

  #verdict(scene: Scene, late: readonly string[] = []): number {
    const { hasStory, warnings } = this.#options;
    const problems = hasStory ? [...late, ...this.#ledger.problems(scene)] : late;
    for (const problem of problems) console.error(`chaski: ${problem}`);
    const promised = hasStory ? "a release, a roll-back and a canary: all as promised" : "the fleet is up";
    if (problems.length === 0) console.log(`— ${promised}`);
    else for (const line of warnings) console.error(line.trimEnd());
    return problems.length === 0 ? EXIT.ok : EXIT.failed;
  }

  #show(scene: Scene): void {
    const { clock, clusters, traffic, kubeconfig } = this.#options;
    if (this.#screen) {
      const frame = { columns: this.#screen.columns, nowMs: clock.now() };
      const news = story[this.#step]?.news;
      this.#screen.show(drawDemo({ ...scene, clusters, news, kubeconfig, errorRatios: traffic.errorRatios() }, frame));
    } else {
      const release = scene.release ? tellRelease(releaseOf(scene.release)) : [];
      const canary = scene.canary ? describeCanary(scene.canary).slice(0, 2) : [];
      this.#log.tell([...release, ...canary]);
    }
  }
}
