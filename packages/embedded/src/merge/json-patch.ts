import { goKind } from "../schema/go-format.ts";
import { equalJson, isObject, type JsonObject, own } from "../schema/json.ts";
import { stringifyJson } from "../schema/parse-json.ts";
import { PatchError } from "./patch-error.ts";
import { add, indexOf, read, remove, type Target, unreadable, write } from "./patch-target.ts";

const operationsMax = 10_000;
const copiedBytesMax = 3 * 1024 * 1024;

/** RFC 6902 as the server does it. Throws PatchError. Shares what the patch leaves alone with the document. */
export function jsonPatch(document: unknown, operations: unknown): unknown {
  const patching = new Patching(document);
  for (const operation of decode(operations)) patching.run(operation);
  return patching.document;
}

function decode(operations: unknown): readonly JsonObject[] {
  if (operations === null) return [];
  if (!Array.isArray(operations)) throw undecodable(operations, "Go value of type []handlers.jsonPatchOp");
  for (const operation of operations) {
    if (!isObject(operation)) throw undecodable(operation, "Go value of type handlers.jsonPatchOp");
    for (const field of ["op", "path", "from"]) {
      const value = own(operation, field);
      if (value !== undefined && value !== null && typeof value !== "string") {
        throw undecodable(value, `Go struct field jsonPatchOp.${field} of type string`);
      }
    }
  }
  if (operations.length > operationsMax) {
    const limit = `The allowed maximum operations in a JSON patch is ${operationsMax}, got ${operations.length}`;
    throw new PatchError(413, `Request entity is too large: ${limit}`);
  }
  return operations as JsonObject[];
}

function undecodable(value: unknown, target: string): PatchError {
  return new PatchError(400, `error decoding patch: json: cannot unmarshal ${goKind(value)} into ${target}`);
}

function refused(message: string): PatchError {
  return new PatchError(422, message);
}

class Patching {
  document: unknown;
  // What this patching copied already and may change in place.
  readonly #own = new WeakSet<object>();
  #copiedBytes = 0;

  constructor(document: unknown) {
    this.document = document;
  }

  run(operation: JsonObject): void {
    const kind = textOf(operation, "op") ?? "unknown";
    const run = operators[kind];
    if (run === undefined || !Object.hasOwn(operators, kind)) throw refused(`Unexpected kind: ${kind}`);
    run(this, operation);
  }

  /** Undefined: the pointer leads nowhere. Copies the way, unless `reads`. */
  find(path: string, reads = false): Target | undefined {
    const parts = path.split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    if (parts.length < 2) return undefined;
    let container = this.#enter(undefined, "", reads);
    for (const part of parts.slice(1, -1)) {
      if (container === undefined || (Array.isArray(container) && typeof indexOf(container, part) === "string")) {
        return undefined;
      }
      container = this.#enter(container, part, reads);
    }
    return container === undefined ? undefined : { container, key: parts.at(-1) ?? "" };
  }

  #enter(container: Target["container"] | undefined, key: string, reads: boolean): Target["container"] | undefined {
    const value = container === undefined ? this.document : read({ container, key });
    if (typeof value !== "object" || value === null) return undefined;
    if (reads || this.#own.has(value)) return value as Target["container"];
    const copy = Array.isArray(value) ? [...value] : { ...value };
    this.#own.add(copy);
    if (container === undefined) this.document = copy;
    else write({ container, key }, copy);
    return copy;
  }

  countCopied(value: unknown): void {
    this.#copiedBytes += Buffer.byteLength(stringifyJson(value) ?? "");
    if (this.#copiedBytes <= copiedBytesMax) return;
    throw refused(
      `Unable to complete the copy, the accumulated size increase of copy is ${this.#copiedBytes}, exceeding the limit ${copiedBytesMax}`,
    );
  }
}

function textOf(operation: JsonObject, field: string): string | undefined {
  const value = own(operation, field);
  return typeof value === "string" ? value : undefined;
}

function valueOf(operation: JsonObject): unknown {
  return own(operation, "value") ?? null;
}

function ensure(problem: string | undefined, context: string): void {
  if (problem !== undefined) throw refused(`${context}: ${problem}`);
}

const operators: Readonly<Record<string, (patching: Patching, operation: JsonObject) => void>> = {
  add(patching, operation) {
    const { path, target } = placeOf("add", patching, operation);
    ensure(add(target, valueOf(operation)), `error in add for path: '${path}'`);
  },

  remove(patching, operation) {
    const { path, target } = placeOf("remove", patching, operation);
    ensure(remove(target), `error in remove for path: '${path}'`);
  },

  replace(patching, operation) {
    const path = pathOf("replace", operation);
    const value = valueOf(operation);
    if (path === "") {
      if (typeof value !== "object" || value === null)
        throw refused("replace operation value must be object or array: %!w(<nil>)");
      patching.document = value;
      return;
    }
    const target = patching.find(path);
    if (target === undefined) {
      throw refused(`replace operation does not apply: doc is missing path: ${path}: missing value`);
    }
    if (unreadable(target) !== undefined) {
      throw refused(`replace operation does not apply: doc is missing key: ${path}: missing value`);
    }
    write(target, value);
  },

  move(patching, operation) {
    const source = sourceOf("move", patching, operation);
    const value = read(source);
    ensure(unreadable(source) ?? remove(source), `error in move for path: '${source.key}'`);
    const path = pathOf("move", operation);
    ensure(add(destinationOf("move", patching, path), value), `error in move for path: '${path}'`);
  },

  copy(patching, operation) {
    const source = sourceOf("copy", patching, operation);
    ensure(unreadable(source), `error in copy for from: '${textOf(operation, "from")}'`);
    const value = read(source) ?? null;
    const path = textOf(operation, "path");
    if (path === undefined) throw refused("copy operation failed to decode path: missing value");
    const destination = destinationOf("copy", patching, path);
    patching.countCopied(value);
    ensure(add(destination, structuredClone(value)), "error while adding value during copy");
  },

  test(patching, operation) {
    const path = pathOf("test", operation);
    const target = path === "" ? undefined : patching.find(path, true);
    if (path !== "" && target === undefined) {
      throw refused(`test operation does not apply: is missing path: ${path}: missing value`);
    }
    if (target !== undefined) ensure(unreadable(target), `error in test for path: '${path}'`);
    const value = target === undefined ? patching.document : (read(target) ?? null);
    if (!equalJson(value, valueOf(operation))) throw refused(`testing value ${path} failed: test failed`);
  },
};

function placeOf(kind: string, patching: Patching, operation: JsonObject): { path: string; target: Target } {
  const path = textOf(operation, "path");
  if (path === undefined) throw refused(`${kind} operation failed to decode path: missing value`);
  const target = patching.find(path);
  if (target !== undefined) return { path, target };
  throw refused(`${kind} operation does not apply: doc is missing path: "${path}": missing value`);
}

function pathOf(kind: string, operation: JsonObject): string {
  const path = textOf(operation, "path");
  if (path !== undefined) return path;
  throw refused(`${kind} operation failed to decode path: operation missing path field: missing value`);
}

function sourceOf(kind: string, patching: Patching, operation: JsonObject): Target {
  const from = textOf(operation, "from");
  if (from === undefined) {
    throw refused(`${kind} operation failed to decode from: operation, missing from field: missing value`);
  }
  const source = patching.find(from);
  if (source !== undefined) return source;
  throw refused(`${kind} operation does not apply: doc is missing from path: ${from}: missing value`);
}

function destinationOf(kind: string, patching: Patching, path: string): Target {
  const destination = patching.find(path);
  if (destination !== undefined) return destination;
  throw refused(`${kind} operation does not apply: doc is missing destination path: ${path}: missing value`);
}
