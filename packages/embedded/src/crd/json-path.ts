// The part of JSONPath that printer columns and selectable fields use: `.spec.a`, `['a.b']`, `[0]`, `[?(@.type=="x")]`.
import { isObject, own } from "../schema/json.ts";
import { asText } from "../codec/text.ts";

type Step = (value: unknown) => unknown[];

const TOKEN =
  /\.([\w-]+|\\.)+|\.?([\w-]+)|\[(?:'([^']*)'|"([^"]*)"|(\d+)|(\*)|\?\(@\.([\w.-]+)\s*(==|!=)\s*(?:"([^"]*)"|'([^']*)'|([\w.-]+))\))\]/y;

/** Undefined when the path can't be understood. */
export function compileJsonPath(path: string): ((object: unknown) => unknown[]) | undefined {
  const steps: Step[] = [];
  const text = path
    .trim()
    .replace(/^\{(.*)\}$/, "$1")
    .replace(/^\$/, "");
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text);
    if (!match) return undefined;
    steps.push(stepOf(match));
  }
  return (object) => steps.reduce<unknown[]>((values, step) => values.flatMap(step), [object]);
}

function stepOf(match: RegExpExecArray): Step {
  const [whole, , , single, double, index, star, filterPath, operator, ...literals] = match;
  if (filterPath !== undefined)
    return filterStep(filterPath, operator === "==", literals.find((text) => text !== undefined) ?? "");
  if (star !== undefined)
    return (value) => (Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []);
  if (index !== undefined)
    return (value) => (Array.isArray(value) && Number(index) < value.length ? [value[Number(index)]] : []);
  const key = single ?? double ?? whole.replace(/^\./, "").replaceAll("\\", "");
  return fieldStep(key);
}

function fieldStep(key: string): Step {
  return (value) => {
    const child = isObject(value) ? own(value, key) : undefined;
    return child === undefined ? [] : [child];
  };
}

function filterStep(path: string, isEqual: boolean, literal: string): Step {
  const read = path.split(".").map(fieldStep);
  return (value) => {
    if (!Array.isArray(value)) return [];
    return value.filter((item) => {
      const [found] = read.reduce<unknown[]>((values, step) => values.flatMap(step), [item]);
      return found !== undefined && (asText(found) === literal) === isEqual;
    });
  };
}
