// YAML that remembers where everything in it stands.
import { type Document, LineCounter, parseAllDocuments } from "yaml";

/** Both count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface LocatedDocument {
  /** What is wrong with it as YAML; `value` means nothing then. */
  readonly errors: readonly (Place & { readonly message: string })[];
  readonly value: unknown;
  /** Of `spec.targets[0].name`; of an absent field where its nearest parent stands. */
  readonly placeOf: (path: string) => Place;
}

const ALIASES_MAX = 100;

export function readYaml(text: string): readonly LocatedDocument[] {
  const lines = new LineCounter();
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const documents = parseAllDocuments(text, { lineCounter: lines, keepSourceTokens: false });
  return [...(documents as readonly Document[])].map((document) => ({
    errors: document.errors.map(({ pos, message }) => ({ ...at(pos[0]), message: firstLine(message) })),
    value: document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: ALIASES_MAX }),
    placeOf: (path) => at(offsetOf(document, path)),
  }));
}

/** Without the excerpt, and without the place, which is told apart from it. */
function firstLine(message: string): string {
  return (message.split("\n")[0] ?? "").replace(/ at line \d+, column \d+:?$/, "");
}

function offsetOf(document: Document, path: string): number {
  const keys = keysOf(path);
  for (let length = keys.length; length > 0; length--) {
    const node = document.getIn(keys.slice(0, length), true) as
      | { readonly range?: readonly [number, number, number] }
      | undefined;
    if (node?.range) return node.range[0];
  }
  return 0;
}

/** `spec.targets[0].podAnnotations[a.b/c]`: names, positions, and keys that have dots in them. */
function keysOf(path: string): readonly (string | number)[] {
  return [...path.matchAll(/\[(?<key>[^\]]*)\]|(?<name>[^.[\]]+)/g)].map(({ groups }) => {
    const key = groups?.["key"] ?? groups?.["name"] ?? "";
    return groups?.["key"] !== undefined && /^\d+$/.test(key) ? Number(key) : key;
  });
}
