// Whether a definition may have the names that it asks for: nobody else in its group has them.
import { objectAt, stringAt, stringsAt } from "../schema/fields.ts";
import type { JsonObject } from "../schema/json.ts";

export interface NamesVerdict {
  readonly reason: string;
  readonly message: string;
}

/** Undefined: all are free. */
export function nameConflict(crd: JsonObject, others: Iterable<JsonObject>): NamesVerdict | undefined {
  const [resources, kinds] = [new Set<string>(), new Set<string>()];
  for (const other of others) {
    const accepted = objectAt(other, "status", "acceptedNames");
    if (other === crd || stringAt(other, "spec", "group") !== stringAt(crd, "spec", "group") || !accepted) continue;
    for (const name of [
      stringAt(accepted, "plural"),
      stringAt(accepted, "singular"),
      ...stringsAt(accepted, "shortNames"),
    ])
      resources.add(name);
    for (const name of [stringAt(accepted, "kind"), stringAt(accepted, "listKind")]) kinds.add(name);
  }
  const names = objectAt(crd, "spec", "names");
  const checks = [
    ["PluralConflict", resources, [stringAt(names, "plural")]],
    ["SingularConflict", resources, [stringAt(names, "singular")]],
    ["ShortNamesConflict", resources, stringsAt(names, "shortNames")],
    ["KindConflict", kinds, [stringAt(names, "kind")]],
    ["ListKindConflict", kinds, [stringAt(names, "listKind")]],
  ] as const;
  for (const [reason, taken, wanted] of checks) {
    const clash = wanted.find((name) => name !== "" && taken.has(name));
    if (clash !== undefined) return { reason, message: `${JSON.stringify(clash)} is already in use` };
  }
  return undefined;
}
