import { BlockList, isIP } from "node:net";
import type { Machine } from "./machine.ts";

/** The proxy that HTTPS_PROXY (HTTP_PROXY for a plain server) asks for, unless NO_PROXY or loopback exempts the server. */
export function environmentProxy({ env }: Machine, server: string): string | undefined {
  const { protocol, hostname } = new URL(server);
  const host = hostname.replaceAll(/[[\]]/g, "");
  const read = (name: string): string | undefined => env[name] || env[name.toLowerCase()] || undefined;
  const proxy = read(protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY");
  if (proxy === undefined || isLoopback(host)) return undefined;
  const exceptions = (read("NO_PROXY") ?? "").split(",").map((each) => each.trim().toLowerCase());
  if (exceptions.some((exception) => exempts(exception, host))) return undefined;
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

/** `*`, a name with all below it, an address, or a range of addresses. */
function exempts(exception: string, host: string): boolean {
  if (exception === "") return false;
  if (exception === "*" || exception === host) return true;
  if (exception.includes("/")) return isWithin(exception, host);
  return host.endsWith(`.${exception.replace(/^\*?\./, "")}`);
}

function isWithin(range: string, host: string): boolean {
  const [network = "", prefix] = range.split("/");
  const version = isIP(network);
  if (version === 0 || version !== isIP(host)) return false;
  const family = version === 4 ? "ipv4" : "ipv6";
  const list = new BlockList();
  list.addSubnet(network, Math.min(Number(prefix) || 0, version === 4 ? 32 : 128), family);
  return list.check(host, family);
}
