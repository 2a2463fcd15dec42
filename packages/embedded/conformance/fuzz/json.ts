// oxlint-disable-next-line typescript/no-explicit-any -- whatever a server is sent.
export type Json = any;

/** As a JSON merge patch does it: null takes a key away, lists are replaced. */
export function deepMerge(into: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const merged: Record<string, Json> = isObject(into) ? { ...into } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = deepMerge(merged[key], value);
  }
  return merged;
}

/** One patch that does what two do. */
export function combine(first: Json, second: Json): Json {
  if (!isObject(first) || !isObject(second)) return second;
  const combined = { ...first };
  for (const [key, value] of Object.entries(second))
    combined[key] = key in combined ? combine(combined[key], value) : value;
  return combined;
}

/** The value with one thing less, for each thing that it could do without. */
export function* smaller(value: Json): Generator<Json> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield value.toSpliced(index, 1);
      for (const less of smaller(item)) yield value.with(index, less);
    }
  } else if (isObject(value)) {
    for (const [key, child] of Object.entries(value)) {
      const { [key]: _, ...rest } = value;
      yield rest;
      for (const less of smaller(child)) yield { ...value, [key]: less };
    }
  }
}

function isObject(value: unknown): value is Record<string, Json> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
