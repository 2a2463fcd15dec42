import { isObject, own } from "../schema/json.ts";

interface Orders {
  /** The order that the patch wants of the items that it names. */
  readonly order: readonly unknown[];
  /** The order of the others. */
  readonly live: readonly unknown[];
  /** Tells maps apart; scalars are themselves. */
  readonly mergeKey?: string;
}

/** Items of the patch in its order, the others in live's, the two lists zipped by where live had them. */
export function inOrder(items: readonly unknown[], { order, live, mergeKey }: Orders): unknown[] {
  const idOf = (item: unknown) => (mergeKey !== undefined && isObject(item) ? own(item, mergeKey) : item);
  const wanted = positions(order.map(idOf));
  const had = positions(live.map(idOf));
  const patched = sorted(
    items.filter((item) => wanted.has(idOf(item))),
    (item) => wanted.get(idOf(item)),
  );
  const others = sorted(
    items.filter((item) => !wanted.has(idOf(item))),
    (item) => had.get(idOf(item)),
  );
  const result: unknown[] = [];
  while (patched.length > 0 && others.length > 0) {
    const left = had.get(idOf(others[0]));
    const right = had.get(idOf(patched[0]));
    const isOtherFirst = left !== undefined && right !== undefined && left < right;
    result.push(isOtherFirst ? others.shift() : patched.shift());
  }
  return [...result, ...others, ...patched];
}

/** The server's own insertion sort: an item without a position goes before whatever stands before it. */
function sorted(items: readonly unknown[], positionOf: (item: unknown) => number | undefined): unknown[] {
  const result: unknown[] = [];
  for (const item of items) {
    const position = positionOf(item);
    const isBefore = (other: unknown) => {
      const place = positionOf(other);
      return position === undefined || place === undefined || position < place;
    };
    let at = result.length;
    while (at > 0 && isBefore(result[at - 1])) at--;
    result.splice(at, 0, item);
  }
  return result;
}

function positions(ids: readonly unknown[]): ReadonlyMap<unknown, number> {
  const found = new Map<unknown, number>();
  for (const [i, id] of ids.entries()) {
    if (!found.has(id)) found.set(id, i);
  }
  return found;
}
