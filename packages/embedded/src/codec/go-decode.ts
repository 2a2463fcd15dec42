// What becomes of a client's JSON when the real server reads it into Go types and writes it back: unknown fields are
// dropped, empty ones left out or spelt out, quantities and times brought into their canonical form.
import { isInteger, isObject, type JsonObject, own, put } from "../schema/json.ts";
import { type GoField, type GoType, isNilable, isScalar } from "./go-type.ts";
import { normalizeQuantity } from "@chaski/kube";
import { canonicalMicroTime, canonicalTime } from "./times.ts";

/** Ends a request with 400: the value can't be read into its type. */
export class DecodeError extends Error {
  override readonly name = "DecodeError";
}

export interface Decoded {
  readonly object: JsonObject;
  /** Paths of fields that the type does not have, as `spec.template.foo` or `spec.ports[0].bar`. */
  readonly unknownFields: readonly string[];
}

export function decodeObject(type: GoType, value: JsonObject): Decoded {
  const reading: Reading = { unknownFields: [] };
  const object = decode(type, value, undefined, reading) as JsonObject;
  return { object, unknownFields: reading.unknownFields };
}

interface Reading {
  readonly unknownFields: string[];
}

/** A way into the object, spelt out for messages only; undefined is the object itself. */
type Place = Step | undefined;

interface Step {
  readonly from: Place;
  /** A field, a key or an index. */
  readonly to: string | number;
  /** The struct that has the field; undefined for items and values of maps. */
  readonly struct: string | undefined;
}

type Decoder<K extends GoType["kind"]> = (
  type: Extract<GoType, { kind: K }>,
  value: unknown,
  at: Place,
  reading: Reading,
) => unknown;

function decode(type: GoType, value: unknown, at: Place, reading: Reading): unknown {
  const decoder = DECODERS[type.kind] as Decoder<GoType["kind"]>;
  return decoder(type, value, at, reading);
}

const DECODERS: { readonly [K in GoType["kind"]]: Decoder<K> } = {
  struct: decodeStruct,
  list: (type, value, at, reading) => {
    if (!Array.isArray(value)) throw mismatch(value, `[]${goName(type.item)}`, at);
    return value.map((item, index) => {
      const place = { from: at, to: index, struct: undefined };
      return isNothing(item) ? zeroOf(type.item, place, reading) : decode(type.item, item, place, reading);
    });
  },
  map: (type, value, at, reading) => {
    if (!isObject(value)) throw mismatch(value, `map[string]${goName(type.value)}`, at);
    const map: JsonObject = {};
    for (const key of Object.keys(value)) {
      const place = { from: at, to: key, struct: undefined };
      const item = value[key];
      put(map, key, isNothing(item) ? zeroOf(type.value, place, reading) : decode(type.value, item, place, reading));
    }
    return map;
  },
  integer: (type, value, at) => {
    if (!isInteger(value) || !fits(value, type.bits)) throw mismatch(value, `int${type.bits}`, at);
    return value;
  },
  number: (_, value, at) => requireType(value, "number", "float64", at),
  string: (_, value, at) => requireType(value, "string", "string", at),
  boolean: (_, value, at) => requireType(value, "boolean", "bool", at),
  bytes: (_, value, at) => {
    if (typeof value !== "string") throw mismatch(value, "[]uint8", at);
    if (!/^[A-Za-z0-9+/\r\n]*={0,2}$/.test(value) || value.replaceAll(/[\r\n]/g, "").length % 4 !== 0)
      throw new DecodeError("illegal base64 data at input byte " + illegalAt(value));
    return value.replaceAll(/[\r\n]/g, "");
  },
  quantity: (_, value, at) => {
    if (typeof value !== "number" && typeof value !== "string") throw mismatch(value, "resource.Quantity", at);
    const quantity = normalizeQuantity(typeof value === "string" ? value.trim() : value);
    if (quantity.ok) return quantity.value;
    throw new DecodeError(quantity.problem);
  },
  intOrString: (_, value, at) => {
    if (typeof value === "string" || (isInteger(value) && fits(value, 32))) return value;
    throw mismatch(value, "int32", at);
  },
  time: (_, value, at) => decodeTime(value, canonicalTime, at),
  microTime: (_, value, at) => decodeTime(value, canonicalMicroTime, at),
  raw: (_, value) => value,
  schemaOrBool: (type, value, at, reading) =>
    typeof value === "boolean" ? value : decode(type.schema, value, at, reading),
  schemaOrArray: (type, value, at, reading) =>
    Array.isArray(value)
      ? value.map((item, index) => decode(type.schema, item, { from: at, to: index, struct: undefined }, reading))
      : decode(type.schema, value, at, reading),
};

function decodeStruct(
  type: Extract<GoType, { kind: "struct" }>,
  value: unknown,
  at: Place,
  reading: Reading,
): JsonObject {
  if (!isObject(value)) throw mismatch(value, `v1.${type.name}`, at);
  for (const key of Object.keys(value)) {
    if (!type.fields.has(key)) reading.unknownFields.push(pathOf({ from: at, to: key, struct: type.name }));
  }
  const struct: JsonObject = {};
  for (const field of type.ordered) {
    const given = own(value, field.name);
    const decoded = isNothing(given)
      ? absent(field, reading)
      : decodeField(field, given, { from: at, to: field.name, struct: type.name }, reading);
    if (decoded !== undefined) struct[field.name] = decoded;
  }
  return struct;
}

/** What stands for a field that nobody set; undefined when it is left out. */
function absent(field: GoField, reading: Reading): unknown {
  const { type, isPointer, isLeftOut } = field;
  if (isLeftOut) return undefined;
  if (isPointer || isNilable(type)) return null;
  const zero = zeroOf(type, undefined, reading);
  return isOmittedWhenZero(field) && isZero(zero) ? undefined : zero;
}

/** Undefined when the field is left out. */
function decodeField(field: GoField, value: unknown, at: Place, reading: Reading): unknown {
  const decoded = decode(field.type, value, at, reading);
  return !field.isPointer && isOmittedWhenZero(field) && isZero(decoded) ? undefined : decoded;
}

/** Go's omitempty never leaves out a struct; omitzero does. */
function isOmittedWhenZero({ type, omitsEmpty, omitsZero }: GoField): boolean {
  return omitsZero || (omitsEmpty && (isScalar(type) || isNilable(type)));
}

function zeroOf(type: GoType, at: Place, reading: Reading): unknown {
  switch (type.kind) {
    case "struct":
      return decodeStruct(type, {}, at, reading);
    case "integer":
    case "number":
    case "intOrString":
      return 0;
    case "string":
    case "bytes":
      return "";
    case "boolean":
      return false;
    case "quantity":
      return "0";
    default:
      return null;
  }
}

function isNothing(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function isZero(value: unknown): boolean {
  if (isNothing(value) || value === 0 || value === "" || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

function fits(value: number | bigint, bits: 32 | 64): boolean {
  return Math.abs(Number(value)) <= (bits === 32 ? 2 ** 31 : 2 ** 63);
}

function requireType(value: unknown, type: string, goType: string, at: Place): unknown {
  // biome-ignore lint/suspicious/useValidTypeof: the type is one of a closed table.
  if (typeof value !== type) throw mismatch(value, goType, at);
  return value;
}

function decodeTime(value: unknown, canonical: (text: string) => string | undefined, at: Place): string {
  if (typeof value !== "string") throw mismatch(value, "string", at);
  const time = canonical(value);
  if (time !== undefined) return time;
  const quoted = JSON.stringify(value);
  throw new DecodeError(`parsing time ${quoted} as "2006-01-02T15:04:05Z07:00": cannot parse ${quoted} as "2006"`);
}

function mismatch(value: unknown, goType: string, at: Place): DecodeError {
  const field = fieldAt(at);
  const of = field
    ? `Go struct field ${field.struct}.${pathOf(field)} of type ${goType}`
    : `Go value of type ${goType}`;
  return new DecodeError(`json: cannot unmarshal ${jsonKind(value)} into ${of}`);
}

function jsonKind(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number" || typeof value === "bigint") return `number ${value}`;
  return typeof value;
}

function goName(type: GoType): string {
  return type.kind === "struct" ? `v1.${type.name}` : type.kind;
}

function illegalAt(text: string): number {
  const index = text.search(/[^A-Za-z0-9+/=\r\n]/);
  return index < 0 ? text.length : index;
}

/** The field that holds the place: an item or a value of a map is told by the list's or the map's. */
function fieldAt(at: Place): Place {
  let place = at;
  while (place && place.struct === undefined) place = place.from;
  return place;
}

function pathOf({ from, to }: Step): string {
  const before = from ? pathOf(from) : "";
  if (typeof to === "number") return `${before}[${to}]`;
  return before === "" ? to : `${before}.${to}`;
}
