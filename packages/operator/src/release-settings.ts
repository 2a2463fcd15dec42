// What the releases wing is told, from flags and from the configuration file.
import { type Clock, RealClock } from "@chaski/clock";
import { parseDuration } from "@chaski/kube";
import {
  type Calendar,
  defaultCalendar,
  defaultFlags,
  type Judge,
  LatePods,
  prometheusJudge,
  type ReleaseFlags,
  type ReleasesOptions,
} from "@chaski/releases";
import type { Configured } from "./config/followed-config.ts";

/** Flags of the wing, as the command line has them. */
export interface ReleasesGiven {
  readonly flags: Omit<ReleaseFlags, "judges" | "stateLimitsMs" | "judgeUntilPercent">;
  /** Over the configuration file's. */
  readonly judgeUntilPercent?: number;
  readonly prometheusAddress: string;
  readonly prometheusTtlMs: number;
  readonly concurrentRevisions: number;
  readonly concurrentReleaseManagers: number;
  readonly syncPeriodMs: number;
}

export const RELEASES_DEFAULTS: ReleasesGiven = {
  flags: defaultFlags,
  prometheusAddress: "",
  prometheusTtlMs: 10_000,
  concurrentRevisions: 20,
  concurrentReleaseManagers: 50,
  syncPeriodMs: 15_000,
};

/** Read in every pass, so what the configuration file says now counts. */
export class FollowedSettings implements ReleasesOptions {
  readonly judges: readonly Judge[];
  readonly pods: LatePods;
  readonly concurrentRevisions: number;
  readonly concurrentReleaseManagers: number;
  readonly syncPeriodMs: number;
  readonly #given: ReleasesGiven;
  readonly #configured: () => Configured;

  constructor(given: ReleasesGiven, configured: () => Configured, clock: Clock) {
    this.#given = given;
    this.#configured = configured;
    this.concurrentRevisions = given.concurrentRevisions;
    this.concurrentReleaseManagers = given.concurrentReleaseManagers;
    this.syncPeriodMs = given.syncPeriodMs;
    this.judges = judgesOf(given, configured, clock);
    this.pods = new LatePods(clock);
  }

  get flags(): ReleaseFlags {
    const { judge, timeouts = {} } = this.#configured().config ?? {};
    return {
      ...this.#given.flags,
      judges: this.judges.map(({ name }) => name),
      judgeUntilPercent: this.#given.judgeUntilPercent ?? judge?.untilPercent ?? defaultFlags.judgeUntilPercent,
      stateLimitsMs: Object.fromEntries(Object.entries(timeouts).map(([state, text]) => [state, milliseconds(text)])),
    };
  }

  get calendars(): readonly Calendar[] {
    return this.#configured().calendars;
  }

  stop(): void {
    for (const judge of this.judges) judge.stop();
  }
}

/** Nobody judges, nothing is configured. */
export function releasesByDefault(): ReleasesOptions {
  return new FollowedSettings(RELEASES_DEFAULTS, () => ({ calendars: [defaultCalendar] }), new RealClock());
}

function judgesOf(
  { prometheusAddress: address, prometheusTtlMs, syncPeriodMs }: ReleasesGiven,
  configured: () => Configured,
  clock: Clock,
): readonly Judge[] {
  if (address === "") return [];
  const access = () => configured().config?.judge?.prometheus ?? {};
  return [prometheusJudge({ clock, address, everyMs: prometheusTtlMs, deadlineMs: syncPeriodMs, access })];
}

function milliseconds(text: string): number {
  const parsed = parseDuration(text);
  return parsed.ok ? parsed.value : 0;
}
