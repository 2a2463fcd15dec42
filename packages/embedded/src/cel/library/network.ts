import { BlockList, isIP } from "node:net";
import type { Environment } from "@marcbachmann/cel-js";

class Ip {
  readonly text: string;
  readonly family: 4 | 6;

  constructor(text: string, family: 4 | 6) {
    this.text = text;
    this.family = family;
  }
}

class Cidr {
  readonly ip: Ip;
  readonly bits: number;

  constructor(ip: Ip, bits: number) {
    this.ip = ip;
    this.bits = bits;
  }
}

function parseIp(text: string): Ip | undefined {
  const family = isIP(text);
  // Zones and IPv4 addresses in IPv6 are refused, as the server does.
  if (family === 0 || text.includes("%") || (family === 6 && text.includes("."))) return undefined;
  return new Ip(canonical(text, family as 4 | 6), family as 4 | 6);
}

function canonical(text: string, family: 4 | 6): string {
  return family === 4 ? text : new URL(`http://[${text}]`).hostname.slice(1, -1);
}

function parseCidr(text: string): Cidr | undefined {
  const [address = "", bits = "", ...more] = text.split("/");
  const ip = parseIp(address);
  if (ip === undefined || more.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(bits)) return undefined;
  return Number(bits) <= (ip.family === 4 ? 32 : 128) ? new Cidr(ip, Number(bits)) : undefined;
}

function contains({ ip, bits }: Cidr, other: Ip): boolean {
  if (ip.family !== other.family) return false;
  const block = new BlockList();
  block.addSubnet(ip.text, bits, `ipv${ip.family}`);
  return block.check(other.text, `ipv${other.family}`);
}

function within(...ranges: string[]): (ip: Ip) => boolean {
  let blocks: readonly Cidr[] | undefined;
  return (ip) => {
    blocks ??= ranges.map(parseCidr).filter((cidr) => cidr !== undefined);
    return blocks.some((block) => contains(block, ip));
  };
}

const isLoopback = within("127.0.0.0/8", "::1/128");
const isLinkLocalUnicast = within("169.254.0.0/16", "fe80::/10");
const isLinkLocalMulticast = within("224.0.0.0/24", "ff02::/16");
const isMulticast = within("224.0.0.0/4", "ff00::/8");
const isUnspecified = within("0.0.0.0/32", "::/128");
const isBroadcast = within("255.255.255.255/32");

function isGlobalUnicast(ip: Ip): boolean {
  return ![isLoopback, isLinkLocalUnicast, isMulticast, isUnspecified, isBroadcast].some((is) => is(ip));
}

function required<T>(value: T | undefined, problem: string): T {
  if (value === undefined) throw new Error(problem);
  return value;
}

export function registerNetwork(environment: Environment): void {
  environment
    .registerType("net.IP", Ip)
    .registerType("net.CIDR", Cidr)
    .registerOperator("net.IP == net.IP", (a: Ip, b: Ip) => a.text === b.text)
    .registerOperator("net.CIDR == net.CIDR", (a: Cidr, b: Cidr) => a.ip.text === b.ip.text && a.bits === b.bits)
    .registerFunction("isIP(string): bool", (text: string) => parseIp(text) !== undefined)
    .registerFunction("isCIDR(string): bool", (text: string) => parseCidr(text) !== undefined)
    .registerFunction("ip(string): net.IP", (text: string) =>
      required(parseIp(text), `IP Address "${text}" parse error`),
    )
    .registerFunction("cidr(string): net.CIDR", (text: string) =>
      required(
        parseCidr(text),
        `network address parse error during conversion from string: invalid CIDR address: ${text}`,
      ),
    )
    .registerFunction("string(net.IP): string", ({ text }: Ip) => text)
    .registerFunction("string(net.CIDR): string", ({ ip, bits }: Cidr) => `${ip.text}/${bits}`)
    .registerFunction("net.IP.family(): int", ({ family }: Ip) => BigInt(family));
  for (const [name, is] of Object.entries({
    isLoopback,
    isLinkLocalUnicast,
    isLinkLocalMulticast,
    isGlobalUnicast,
    isUnspecified,
  })) {
    environment.registerFunction(`net.IP.${name}(): bool`, is);
  }
  registerCidr(environment);
}

function registerCidr(environment: Environment): void {
  environment
    .registerFunction("net.CIDR.ip(): net.IP", ({ ip }: Cidr) => ip)
    .registerFunction("net.CIDR.prefixLength(): int", ({ bits }: Cidr) => BigInt(bits))
    .registerFunction("net.CIDR.containsIP(net.IP): bool", contains)
    .registerFunction("net.CIDR.containsIP(string): bool", (cidr: Cidr, text: string) => {
      const ip = parseIp(text);
      return ip !== undefined && contains(cidr, ip);
    })
    .registerFunction("net.CIDR.containsCIDR(net.CIDR): bool", containsCidr)
    .registerFunction("net.CIDR.containsCIDR(string): bool", (cidr: Cidr, text: string) => {
      const other = parseCidr(text);
      return other !== undefined && containsCidr(cidr, other);
    });
}

function containsCidr(cidr: Cidr, other: Cidr): boolean {
  return contains(cidr, other.ip) && cidr.bits <= other.bits;
}
