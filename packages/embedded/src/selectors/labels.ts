// Label selectors in the text form of `labelSelector=`, with the real server's refusals.
import { badRequest } from "../errors/api-error.ts";
import { isObject, type JsonObject, own } from "../schema/json.ts";

export type Matcher = (object: JsonObject) => boolean;
type Requirement = (labels: JsonObject) => boolean;

const KEY = /^(?:[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const VALUE = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

export function parseLabelSelector(text: string): Matcher | undefined {
  if (text.trim() === "") return undefined;
  const requirements = splitRequirements(text).map((part) => parseRequirement(part, text));
  return (object) => {
    const metadata = own(object, "metadata");
    const labels = isObject(metadata) ? own(metadata, "labels") : undefined;
    const known = isObject(labels) ? labels : {};
    return requirements.every((holds) => holds(known));
  };
}

/** At commas outside parentheses. */
function splitRequirements(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === "(") depth++;
    if (character === ")") depth--;
    if (character !== "," || depth > 0) continue;
    parts.push(text.slice(start, index));
    start = index + 1;
  }
  return [...parts, text.slice(start)].map((part) => part.trim());
}

function parseRequirement(part: string, whole: string): Requirement {
  const set = /^(\S+)\s+(in|notin)\s*\(([^()]*)\)$/.exec(part);
  if (set) return setRequirement(set[1] ?? "", set[2] === "in", (set[3] ?? "").split(","), whole);
  const order = /^([^<>\s]+)\s*([<>])\s*(-?\d+)$/.exec(part);
  if (order) return orderRequirement(order[1] ?? "", order[2] === ">", Number(order[3]));
  const equality = /^([^=!\s]+)\s*(==|=|!=)\s*([^=!\s]*)$/.exec(part);
  if (equality) return setRequirement(equality[1] ?? "", equality[2] !== "!=", [equality[3] ?? ""], whole);
  return presence(part, whole);
}

function presence(part: string, whole: string): Requirement {
  const absence = /^(!?)\s*([^=!\s()<>]+)$/.exec(part);
  if (!absence) throw unparsable(whole, `found '${part}', expected: identifier`);
  const key = requireKey(absence[2] ?? "");
  const isAbsent = absence[1] === "!";
  return (labels) => (own(labels, key) === undefined) === isAbsent;
}

function setRequirement(key: string, isIn: boolean, values: readonly string[], whole: string): Requirement {
  requireKey(key);
  const allowed = new Set(values.map((value) => value.trim()));
  for (const value of allowed) {
    if (VALUE.test(value)) continue;
    throw unparsable(
      whole,
      `values[0][${key}]: Invalid value: ${JSON.stringify(value)}: a valid label must be an empty string or consist of alphanumeric characters`,
    );
  }
  return (labels) => {
    const value = own(labels, key);
    return typeof value === "string" ? allowed.has(value) === isIn : !isIn;
  };
}

function orderRequirement(key: string, isGreater: boolean, bound: number): Requirement {
  requireKey(key);
  return (labels) => {
    const value = own(labels, key);
    if (typeof value !== "string" || !/^-?\d+$/.test(value)) return false;
    return isGreater ? Number(value) > bound : Number(value) < bound;
  };
}

function requireKey(key: string): string {
  if (KEY.test(key)) return key;
  throw badRequest(
    `unable to parse requirement: <nil>: Invalid value: ${JSON.stringify(key)}: name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  );
}

function unparsable(_whole: string, because: string): Error {
  return badRequest(`unable to parse requirement: ${because}`);
}
