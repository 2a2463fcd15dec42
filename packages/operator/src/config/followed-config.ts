import { readFile } from "node:fs/promises";
import { type OperatorConfig, parseOperatorConfig, type Problem } from "@chaski/api";
import type { Clock, Timer } from "@chaski/clock";
import { type Calendar, readCalendars } from "@chaski/releases";
import type { Logger, Metrics } from "@chaski/runtime";
import { type LocatedDocument, readYaml } from "./located-yaml.ts";

export interface FollowedConfigOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly log: Logger;
}

const REREAD_EVERY_MS = 5_000;

class InvalidConfigError extends Error {}

/** What the configuration comes to. */
export interface Configured {
  readonly config?: OperatorConfig;
  readonly calendars: readonly Calendar[];
}

export async function configuredByDefault(clock: Clock): Promise<Configured> {
  return { calendars: await readCalendars([], clock.now()) };
}

/** The configuration file as it is now. One that turns invalid changes nothing until it is mended. */
export class FollowedConfig implements Disposable {
  readonly #options: FollowedConfigOptions;
  #text: string;
  #configured: Configured;
  #isValid = true;
  #timer: Timer;

  /** Fails when the file is invalid at the start: there is no older one to go on with. */
  static async open(options: FollowedConfigOptions): Promise<FollowedConfig> {
    const text = await read(options.path);
    return new FollowedConfig(options, text, await load(options, text));
  }

  private constructor(options: FollowedConfigOptions, text: string, configured: Configured) {
    this.#options = options;
    this.#text = text;
    this.#configured = configured;
    this.#timer = this.#follow();
  }

  get current(): Configured {
    return this.#configured;
  }

  reportTo(metrics: Metrics): void {
    metrics.gauge(
      { name: "chaski_config_valid", help: "1 while the configuration file is valid, 0 while an older one is in use." },
      (gauge) => gauge.set({}, this.#isValid ? 1 : 0),
    );
  }

  [Symbol.dispose](): void {
    this.#timer.cancel();
  }

  #follow(): Timer {
    return this.#options.clock.after(REREAD_EVERY_MS, () => {
      void this.#reread().then(() => (this.#timer = this.#follow()));
    });
  }

  async #reread(): Promise<void> {
    const { path, log } = this.#options;
    try {
      const text = await read(path);
      if (text === this.#text && this.#isValid) return;
      this.#configured = await load(this.#options, text);
      this.#text = text;
      this.#isValid = true;
      log.info("the configuration was read anew", { path });
    } catch (error) {
      if (this.#isValid) log.error("the configuration is invalid: the one in use stays", { path, error });
      this.#isValid = false;
    }
  }
}

async function read(path: string): Promise<string> {
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new InvalidConfigError(`${path} can't be read (${error.code}); name a configuration file that exists`);
  });
}

/** Part of the file already; what is told there is still to come. */
const UNUSED = ["slack", "links", "sentry"] as const;

async function load({ path, clock, log }: FollowedConfigOptions, text: string): Promise<Configured> {
  const [document] = readYaml(text);
  const [error] = document?.errors ?? [];
  if (error) throw new InvalidConfigError(`${path}:${error.line}:${error.column}: ${error.message}`);
  const parsed = parseOperatorConfig(document?.value);
  if (!parsed.isValid) throw new InvalidConfigError(parsed.problems.map(located(path, document)).join("; "));
  const { config } = parsed;
  for (const field of UNUSED.filter((name) => config[name] !== undefined))
    log.warn("the configuration names what nothing uses yet", { path, field });
  const calendars = await readCalendars(config.calendars ?? [], clock.now()).catch((cause: Error) => {
    throw new InvalidConfigError(`${path}: ${cause.message}`, { cause });
  });
  return { config, calendars };
}

/** The path begins with `config`, which is the file itself. */
function located(file: string, document: LocatedDocument | undefined): (problem: Problem) => string {
  return ({ path, message }) => {
    const { line, column } = document?.placeOf(path.replace(/^config\.?/, "")) ?? { line: 1, column: 1 };
    return `${file}:${line}:${column}: ${path}: ${message}`;
  };
}
