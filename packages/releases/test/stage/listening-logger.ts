import type { Logger } from "@chaski/runtime";

/** Keeps every line, as JSON. */
export function listeningLogger(lines: string[]): Logger {
  const tell = (message: string, fields: object = {}): void => {
    const text = Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? String(value) : value]);
    lines.push(JSON.stringify([message, Object.fromEntries(text)]));
  };
  const logger: Logger = { debug: tell, info: tell, warn: tell, error: tell, with: () => logger };
  return logger;
}
