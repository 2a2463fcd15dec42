// Numbers on the command line, read strictly.
import { parseDuration } from "@chaski/kube";
import { InvalidArgumentError } from "commander";

/** A parser of whole numbers in these bounds; `as` says in the error what it must be. */
export function wholeNumber(min: number, max: number, as = `a whole number from ${min} to ${max}`) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^[0-9]{1,9}$/.test(text) || value < min || value > max) throw new InvalidArgumentError(`it must be ${as}.`);
    return value;
  };
}

export const portNumber = wholeNumber(0, 65_535, "a port from 0 to 65535");

/** A Go duration (`10s`, `1h30m`), in milliseconds. */
export function durationMs(text: string): number {
  const parsed = parseDuration(text);
  if (!parsed.ok || parsed.value < 0) throw new InvalidArgumentError("it must be a duration such as 10s or 1h30m.");
  return parsed.value;
}

/** `:8383` or `127.0.0.1:8383`; `0` for none. */
export function listenAddress(text: string): { readonly host?: string; readonly port: number } | false {
  if (text === "0" || text === "") return false;
  const [, host = "", port = ""] = /^(.*):([^:]*)$/.exec(text) ?? [];
  const bare = host.replace(/^\[(.*)\]$/, "$1");
  if (port === "") throw new InvalidArgumentError("it must be an address such as :8383, or 0 for none.");
  return { ...(bare === "" ? {} : { host: bare }), port: portNumber(port) };
}

export function webAddress(text: string): string {
  if (text === "" || (/^https?:\/\//.test(text) && URL.canParse(text))) return text;
  throw new InvalidArgumentError("it must be an address such as http://prometheus:9090.");
}
