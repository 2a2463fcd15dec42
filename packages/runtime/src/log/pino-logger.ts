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
  return wrap(destination ? pino(settings, destination) : pino(settings));
}

function wrap(logger: Pino): Logger {
  const at =
    (level: "debug" | "info" | "warn" | "error") =>
    (message: string, fields: LogFields = {}): void => {
      if (logger.isLevelEnabled(level)) logger[level](redactFields(fields), redactText(message));
    };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    with: (fields) => wrap(logger.child(redactFields(fields))),
  };
}
