import { isIPv4, isIPv6 } from "node:net";

const groupsOfIpv6 = 8;

/** 4 or 16 bytes, as certificates hold addresses. */
export function ipAddressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split(".").map(Number));
  if (!isIPv6(address)) throw new TypeError(`not an IP address: ${address}`);
  // The URL parser turns every spelling, also one with an IPv4 tail, into groups with at most one gap.
  const [before = "", after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const head = groupsOf(before);
  const tail = groupsOf(after ?? "");
  const gap = Array.from({ length: groupsOfIpv6 - head.length - tail.length }, () => "0");
  return Buffer.from([...head, ...gap, ...tail].map((group) => group.padStart(4, "0")).join(""), "hex");
}

function groupsOf(text: string): string[] {
  return text === "" ? [] : text.split(":");
}
