import { readFile } from "node:fs/promises";
import { describeProblems, type OperatorConfig, parseOperatorConfig } from "@chaski/api";
import type { Clock, Timer } from "@chaski/clock";
import type { Logger, Metrics } from "@chaski/runtime";
import { parse } from "yaml";

export interface FollowedConfigOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly log: Logger;
}

const REREAD_EVERY_MS = 5_000;

export class InvalidConfigError extends Error {}

/** The configuration file as it is now. One that turns invalid changes nothing until it is mended. */
export class FollowedConfig implements Disposable {
  readonly #options: FollowedConfigOptions;
  #text: string;
  #config: OperatorConfig;
  #isValid = true;
  #timer: Timer;

  /** Fails when the file is invalid at the start: there is no older one to go on with. */
  static async open(options: FollowedConfigOptions): Promise<FollowedConfig> {
    const text = await read(options.path);
    return new FollowedConfig(options, text, parseText(options.path, text));
  }

  private constructor(options: FollowedConfigOptions, text: string, config: OperatorConfig) {
    this.#options = options;
    this.#text = text;
    this.#config = config;
    this.#timer = this.#follow();
  }

  get current(): OperatorConfig {
    return this.#config;
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
      this.#config = parseText(path, text);
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

function parseText(path: string, text: string): OperatorConfig {
  const parsed = parseOperatorConfig(parseYaml(path, text));
  if (!parsed.isValid) throw new InvalidConfigError(`${path}: ${describeProblems(parsed.problems)}`);
  return parsed.config;
}

function parseYaml(path: string, text: string): unknown {
  try {
    return parse(text);
  } catch (cause) {
    throw new InvalidConfigError(`${path} is not YAML`, { cause });
  }
}
