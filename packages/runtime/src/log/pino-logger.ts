import { type DestinationStream, type Logger as Pino, pino } from "pino";
import type { LogFields, Logger } from "./logger.ts";
import { redactFields, redactText } from "./redact.ts";

export interface LogOptions {
  readonly level?: "debug" | "info" | "warn" | "error";
  /** Standard output unless given. */
  readonly destination?: DestinationStream;
}

/** One JSON object per line, without anything that looks like a secret. */
export function pinoLogger({ level = "info", destination }: LogOptions = {}): Logger {
  const settings = {
    level,
    base: null,
    messageKey: "message",
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const root = destination ? pino(settings, destination) : pino(settings);
  return wrap(root, () => root);
}

/** Every pass has fields of its own, and most say nothing: what bears them is made with the first line. */
function wrap(root: Pino, make: () => Pino): Logger {
  let made: Pino | undefined;
  const logger = (): Pino => (made ??= make());
  const at =
    (level: "debug" | "info" | "warn" | "error") =>
    (message: string, fields: LogFields = {}): void => {
      if (root.isLevelEnabled(level)) logger()[level](redactFields(fields), redactText(message));
    };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    with: (fields) => wrap(root, () => logger().child(redactFields(fields))),
  };
}
