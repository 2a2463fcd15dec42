// An object in ways that nobody meant: with fields that nobody knows, with fields missing, with values of other types.

type Json = unknown;

const STRANGERS: readonly Json[] = [7, 1.5, "text", "", true, {}, [], ["text"], null];

/** The object as it is, then with one change each. */
export function* variationsOf(object: Readonly<Record<string, Json>>): Generator {
  yield object;
  for (const spec of changed(object["spec"])) yield { ...object, spec };
  const { spec: _, ...withoutSpec } = object;
  yield withoutSpec;
}

function* changed(value: Json): Generator {
  yield* STRANGERS;
  if (Array.isArray(value)) yield* changedList(value);
  else if (typeof value === "object" && value !== null) yield* changedObject(value as Record<string, Json>);
}

function* changedObject(object: Readonly<Record<string, Json>>): Generator {
  yield { ...object, unknownToAll: { deep: 1 } };
  for (const [key, child] of Object.entries(object)) {
    const { [key]: _, ...rest } = object;
    yield rest;
    for (const next of changed(child)) yield { ...object, [key]: next };
  }
}

/** Items of a list are alike: the first one stands for all. */
function* changedList(list: readonly Json[]): Generator {
  const [first, ...rest] = list;
  if (first === undefined) return;
  yield [first, first, ...rest];
  for (const next of changed(first)) yield [next, ...rest];
}
