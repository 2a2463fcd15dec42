const known = new WeakMap<object, Map<string, number>>();

/** What does not depend on the cluster is computed once per scope, which is one pass. */
export function once(scope: object, key: string, compute: () => number): number {
  const numbers = known.get(scope) ?? new Map<string, number>();
  const number = numbers.get(key) ?? compute();
  known.set(scope, numbers.set(key, number));
  return number;
}
