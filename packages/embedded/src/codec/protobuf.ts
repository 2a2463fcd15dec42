// Kubernetes objects in protobuf, which typed Go clients and some commands of kubectl send: read into the JSON that
// they stand for. Answers are JSON always, which every such client accepts too.
import { type JsonObject, put } from "../schema/json.ts";
import type { GoType } from "./go-type.ts";
import { readFields, type WireValue } from "./protobuf-reader.ts";
import { formatTime } from "./times.ts";

const MAGIC = Buffer.from("k8s\0");

export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly message: Buffer;
}

/** What every Kubernetes message is wrapped in; undefined when this is none. */
export function openEnvelope(bytes: Buffer): Envelope | undefined {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const [typeMeta = Buffer.alloc(0), message = Buffer.alloc(0)] = byNumber(bytes.subarray(MAGIC.length), [1, 2]);
  const [apiVersion, kind] = byNumber(typeMeta, [1, 2]);
  return { apiVersion: apiVersion?.toString() ?? "", kind: kind?.toString() ?? "", message };
}

export function readMessage(type: GoType, message: Buffer): JsonObject {
  return readStruct(type, message, []);
}

function byNumber(message: Buffer, numbers: readonly number[]): (Buffer | undefined)[] {
  const found = new Map<number, Buffer>();
  for (const field of readFields(message)) if ("bytes" in field) found.set(field.number, field.bytes);
  return numbers.map((number) => found.get(number));
}

/** `inside` is the way from the struct's own message to one that it inlines. */
function readStruct(type: GoType, message: Buffer, inside: readonly number[]): JsonObject {
  const object: JsonObject = {};
  if (type.kind !== "struct") return object;
  for (const field of readFields(message)) {
    const path = [...inside, field.number];
    const name = nameAt(type, path);
    if (name !== undefined) readInto(object, name, field, type.fields.get(name)?.type ?? { kind: "raw" });
    else if ("bytes" in field && isPrefix(type, path)) Object.assign(object, readStruct(type, field.bytes, path));
  }
  return object;
}

type Struct = Extract<GoType, { kind: "struct" }>;

function nameAt(type: Struct, path: readonly number[]): string | undefined {
  for (const [name, { proto }] of type.fields) if (proto.join(".") === path.join(".")) return name;
  return undefined;
}

function isPrefix(type: Struct, path: readonly number[]): boolean {
  const prefix = `${path.join(".")}.`;
  return [...type.fields.values()].some(({ proto }) => proto.join(".").startsWith(prefix));
}

function readInto(object: JsonObject, name: string, field: WireValue, type: GoType): void {
  if (type.kind === "list") {
    const list = (object[name] ??= []) as unknown[];
    list.push(readValue(type.item, field));
  } else if (type.kind === "map" && "bytes" in field) {
    const map = (object[name] ??= {}) as JsonObject;
    const entry = [...readFields(field.bytes)];
    const key = entry.find(({ number }) => number === 1);
    const value = entry.find(({ number }) => number === 2);
    put(
      map,
      key && "bytes" in key ? key.bytes.toString() : "",
      value ? readValue(type.value, value) : emptyOf(type.value),
    );
  } else object[name] = readValue(type, field);
}

function emptyOf({ kind }: GoType): unknown {
  return kind === "string" || kind === "bytes" ? "" : null;
}

function readValue(type: GoType, field: WireValue): unknown {
  if ("varint" in field) return type.kind === "boolean" ? field.varint !== 0n : Number(BigInt.asIntN(64, field.varint));
  const { bytes } = field;
  const reader = READERS[type.kind];
  return reader ? reader(bytes) : readStruct(type, bytes, []);
}

const READERS: Partial<Record<GoType["kind"], (bytes: Buffer) => unknown>> = {
  string: (bytes) => bytes.toString(),
  bytes: (bytes) => bytes.toString("base64"),
  number: (bytes) => bytes.readDoubleLE(0),
  quantity: (bytes) => byNumber(bytes, [1])[0]?.toString() ?? "0",
  intOrString: readIntOrString,
  time: (bytes) => readTime(bytes).text,
  microTime: (bytes) => {
    const { text, nanos } = readTime(bytes);
    return text.replace("Z", `.${`${Math.floor(nanos / 1_000)}`.padStart(6, "0")}Z`);
  },
  raw: (bytes) => JSON.parse(byNumber(bytes, [1])[0]?.toString() ?? "null") as unknown,
};

function readIntOrString(bytes: Buffer): number | string {
  const fields = new Map([...readFields(bytes)].map((field) => [field.number, field]));
  const [kind, integer, text] = [fields.get(1), fields.get(2), fields.get(3)];
  if (kind && "varint" in kind && kind.varint === 1n) return text && "bytes" in text ? text.bytes.toString() : "";
  return integer && "varint" in integer ? Number(BigInt.asIntN(64, integer.varint)) : 0;
}

function readTime(bytes: Buffer): { text: string; nanos: number } {
  const numbers = new Map<number, number>();
  for (const field of readFields(bytes))
    if ("varint" in field) numbers.set(field.number, Number(BigInt.asIntN(64, field.varint)));
  return { text: formatTime((numbers.get(1) ?? 0) * 1_000), nanos: numbers.get(2) ?? 0 };
}
