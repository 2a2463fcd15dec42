import { isIP, isIPv4, isIPv6 } from "node:net";

const uuid = "[0-9a-f]{8}-?[0-9a-f]{4}-?V[0-9a-f]{3}-?W[0-9a-f]{3}-?[0-9a-f]{12}";

function uuidOf(version: string, variant: string): RegExp {
  return new RegExp(`^${uuid.replace("V", version).replace("W", variant)}$`, "i");
}

const dnsLabel = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const patterns: Readonly<Record<string, RegExp>> = {
  bsonobjectid: /^[0-9a-fA-F]{24}$/,
  creditcard:
    /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/,
  hexcolor: /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/,
  mac: /^([0-9a-fA-F]{2}[:-]){5}([0-9a-fA-F]{2}[:-]){0,2}[0-9a-fA-F]{2}$|^([0-9a-fA-F]{4}\.){2,3}[0-9a-fA-F]{4}$/,
  rgbcolor: /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/,
  ssn: /^\d{3}[- ]?\d{2}[- ]?\d{4}$/,
  uuid: uuidOf("[0-9a-f]", "[0-9a-f]"),
  uuid3: uuidOf("3", "[0-9a-f]"),
  uuid4: uuidOf("4", "[89ab]"),
  uuid5: uuidOf("5", "[89ab]"),
};

const checks: Readonly<Record<string, (text: string) => boolean>> = {
  byte: (text) => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text),
  cidr: isCidr,
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isDate(text),
  datetime: isDateTime,
  duration: isDuration,
  email: (text) => /^[^\s@<>",;:()[\]\\]+@[^\s@<>",;:()[\]\\]+$/.test(text),
  hostname: isHostname,
  ipv4: isIPv4,
  ipv6: isIPv6,
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  password: () => true,
  uri: isRequestUri,
  "k8s-short-name": (text) => text.length <= 63 && new RegExp(`^${dnsLabel}$`).test(text),
  "k8s-long-name": (text) => text.length <= 253 && new RegExp(`^${dnsLabel}(\\.${dnsLabel})*$`).test(text),
};

/** The format under the name that the server knows it by; undefined if it ignores it. */
export function knownFormat(format: string | undefined): string | undefined {
  if (format === undefined) return undefined;
  const name = format.startsWith("k8s-") ? format : format.replaceAll("-", "");
  return Object.hasOwn(checks, name) || Object.hasOwn(patterns, name) ? name : undefined;
}

export function matchesFormat(name: string, text: string): boolean {
  return checks[name]?.(text) ?? patterns[name]?.test(text) ?? true;
}

function isCidr(text: string): boolean {
  const [address = "", bits = "", ...more] = text.split("/");
  const version = isIP(address);
  return more.length === 0 && version !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}

function isDate(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split("-").map(Number);
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function isDateTime(text: string): boolean {
  const match = /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/.exec(text);
  if (match === null) return false;
  const [, date = "", hours, minutes, seconds] = match;
  return isDate(date) && Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60;
}

function isDuration(text: string): boolean {
  const go = /^[+-]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
  if (go.test(text)) return true;
  // The server also takes words, wherever they stand.
  const unit = /^(?:ns|nano.*|us|µs|micro.*|ms|milli.*|s|sec.*|m|min.*|h|hr|hour.*|d|day.*|w|wk|week.*)$/i;
  return [...text.matchAll(/\d+\s*([A-Za-zµ]+)/g)].some(([, word = ""]) => unit.test(word));
}

function isHostname(text: string): boolean {
  const labels = text.split(".");
  const top = labels.pop() ?? "";
  if (text.length > 255 || labels.length === 0)
    return /^[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?$/u.test(top);
  const label = /^[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?$/u;
  return labels.every((part) => label.test(part)) && /^[a-zA-Z\p{L}]{2,63}$/u.test(top);
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]/g, "");
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const sum = Array.from(digits).reduce((total, digit, i) => total + (i + 1) * (digit === "X" ? 10 : Number(digit)), 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]/g, "");
  if (!/^\d{13}$/.test(digits)) return false;
  return Array.from(digits).reduce((total, digit, i) => total + (i % 2 === 0 ? 1 : 3) * Number(digit), 0) % 10 === 0;
}

function isRequestUri(text: string): boolean {
  if (text.startsWith("/")) return !/[\s%](?![0-9a-fA-F]{2})/.test(text);
  return /^[a-zA-Z][a-zA-Z0-9+.-]*:[^\s]*$/.test(text) && URL.canParse(text);
}
