export type LogFields = Readonly<Record<string, unknown>>;

/** Structured logs. Messages are fixed sentences; what varies goes into the fields. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** The same log, with these fields on every line. */
  with(fields: LogFields): Logger;
}

export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  with: () => silentLogger,
};
