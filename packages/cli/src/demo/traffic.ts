// The demo's users: requests split by the routes that the operator wrote, some of which fail, counted per tag.
import type { Clock } from "@chaski/clock";
import { liveRouteOf, VirtualService } from "@chaski/operator";
import { unlessMissing } from "../cluster/unless-missing.ts";
import type { DemoCluster } from "./fleet.ts";
import { APP, TARGET } from "./objects.ts";

const REQUESTS_PER_SECOND = 100;
const TICK_MS = 250;
const WINDOW_MS = 3_000;
/** Too few requests say nothing. */
const REQUESTS_MIN = 20;
const ERROR_BUDGET = 0.01;

interface Sample {
  readonly atMs: number;
  readonly tag: string;
  readonly requests: number;
  readonly errors: number;
}

export class Traffic {
  readonly #clusters: readonly DemoCluster[];
  readonly #clock: Clock;
  /** Of every request to a tag, how many fail. */
  readonly #errorRatio: (tag: string) => number;
  #samples: readonly Sample[] = [];

  constructor(clusters: readonly DemoCluster[], clock: Clock, errorRatio: (tag: string) => number) {
    this.#clusters = clusters;
    this.#clock = clock;
    this.#errorRatio = errorRatio;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#tick();
      await this.#clock.sleep(TICK_MS, signal).catch(() => undefined);
    }
  }

  /** Share of failed requests by tag, of late. */
  errorRatios(): ReadonlyMap<string, number> {
    const totals = new Map<string, { requests: number; errors: number }>();
    for (const { tag, requests, errors } of this.#samples) {
      const before = totals.get(tag) ?? { requests: 0, errors: 0 };
      totals.set(tag, { requests: before.requests + requests, errors: before.errors + errors });
    }
    const known = [...totals].filter(([, { requests }]) => requests >= REQUESTS_MIN);
    return new Map(known.map(([tag, { requests, errors }]) => [tag, errors / requests]));
  }

  /** Tags that spend the error budget faster than it lasts. */
  burning(): readonly string[] {
    return [...this.errorRatios()].filter(([, ratio]) => ratio > ERROR_BUDGET).map(([tag]) => tag);
  }

  async #tick(): Promise<void> {
    const nowMs = this.#clock.now();
    const weights = await Promise.all(this.#clusters.map(weightsOn));
    const fresh = weights.flat().map(([tag, percent]) => {
      const requests = (REQUESTS_PER_SECOND * TICK_MS * percent) / 100_000;
      return { atMs: nowMs, tag, requests, errors: requests * this.#errorRatio(tag) };
    });
    this.#samples = [...this.#samples.filter(({ atMs }) => atMs > nowMs - WINDOW_MS), ...fresh];
  }
}

/** As the proxies of that cluster would split what comes in by the default host. */
async function weightsOn({ client }: DemoCluster): Promise<readonly (readonly [string, number])[]> {
  const key = { namespace: `${APP}-${TARGET}`, name: APP };
  const route = await unlessMissing(client.of(VirtualService).get(key));
  return route ? Object.entries(liveRouteOf(route).weights) : [];
}
