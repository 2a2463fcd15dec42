import type { JsonObject } from "../schema/json.ts";
import { textAt } from "./selectable-fields.ts";

type Cells = (object: JsonObject, nowMs: number) => unknown[];

const nameAndCreation: Cells = (object) => [
  textAt(object, ["metadata", "name"]),
  textAt(object, ["metadata", "creationTimestamp"]),
];

/** The row that `kubectl get` shows of one object. */
export function cellsOf(_group: string, _kind: string): Cells {
  return nameAndCreation;
}
