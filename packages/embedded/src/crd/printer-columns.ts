import { objectsAt, stringAt } from "../schema/fields.ts";
import { asText } from "../codec/text.ts";
import { ageOf } from "../printing/age.ts";
import type { Column } from "../registry/resource.ts";
import type { JsonObject } from "../schema/json.ts";
import { compileJsonPath } from "./json-path.ts";

const NAME: Column = { name: "Name", type: "string", format: "name", priority: 0 };
const AGE = { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" };

export interface PrinterColumns {
  readonly columns: readonly Column[];
  readonly cells: (object: JsonObject, nowMs: number) => unknown[];
}

/** A version's `additionalPrinterColumns`; without any, the age alone. */
export function printerColumnsOf(version: JsonObject): PrinterColumns {
  const declared = objectsAt(version, "additionalPrinterColumns");
  const shown = declared.length > 0 ? declared : [AGE];
  const readers = shown.map((column) => {
    const read = compileJsonPath(stringAt(column, "jsonPath"));
    const type = stringAt(column, "type");
    return (object: JsonObject, nowMs: number) => cellOf(type, read?.(object)[0], nowMs);
  });
  return {
    columns: [NAME, ...shown.map(columnOf)],
    cells: (object, nowMs) => [stringAt(object, "metadata", "name"), ...readers.map((read) => read(object, nowMs))],
  };
}

function columnOf(column: JsonObject): Column {
  const priority = column["priority"];
  return {
    name: stringAt(column, "name"),
    type: stringAt(column, "type"),
    format: stringAt(column, "format"),
    priority: typeof priority === "number" ? priority : 0,
  };
}

function cellOf(type: string, value: unknown, nowMs: number): unknown {
  if (value === undefined || value === null) return null;
  switch (type) {
    case "date":
      return ageOf(value, nowMs);
    case "string":
      return asText(value);
    case "integer":
      return typeof value === "number" ? Math.trunc(value) : null;
    case "number":
      return typeof value === "number" ? value : null;
    default:
      return typeof value === "boolean" ? value : null;
  }
}
