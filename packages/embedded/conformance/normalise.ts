// What two servers may differ in: identities, versions, times, addresses. Equal ones stay equal: the same uid becomes
// the same word wherever it stands.

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const ADDRESS = /\b10\.0\.\d+\.\d+\b/g;
/** Prose, and what the real server's build says of itself. */
const IGNORED = new Set(["description", "storageVersionHash", "goVersion", "gitCommit", "compiler", "platform"]);

export class Normaliser {
  readonly #uids = new Map<string, string>();
  readonly #versions = new Map<string, string>();

  answer(status: number, body: unknown): unknown {
    return status >= 400 && isStatus(body) ? this.#failure(status, body) : { status, body: this.value(body) };
  }

  /** Of what is refused, the code, the reason and the fields have to agree. */
  #failure(status: number, { reason, details, message }: StatusBody): unknown {
    const causes = details?.causes?.map((cause) => `${cause.reason ?? ""} ${cause.field ?? ""}`).toSorted();
    return {
      status,
      reason,
      causes: causes ? [...new Set(causes)] : [],
      message: this.value(message),
      details: { kind: details?.kind, group: details?.group },
    };
  }

  value(value: unknown, key = ""): unknown {
    if (typeof value === "string") return this.#text(value, key);
    if (Array.isArray(value)) return this.#list(value, key);
    if (typeof value !== "object" || value === null) return value;
    // Of a list, the version tells what else was written.
    const isOfList = key === "metadata" && !("name" in value) && !("creationTimestamp" in value);
    const entries = Object.entries(value)
      .filter(([name]) => !IGNORED.has(name) && !(isOfList && name === "resourceVersion"))
      .toSorted(([left], [right]) => (left < right ? -1 : 1));
    return Object.fromEntries(entries.map(([name, child]) => [name, this.value(child, name)]));
  }

  /** Entries of managedFields stand in the order of their times, of which seconds may differ. */
  #list(values: readonly unknown[], key: string): unknown[] {
    const normalised = values.map((item) => this.value(item));
    if (key !== "managedFields") return normalised;
    return normalised.toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));
  }

  #text(text: string, key: string): string {
    if (key === "resourceVersion") return ordinal(this.#versions, text, "version");
    if (key === "continue" && text !== "") return "<continue>";
    if (/^\d+s$/.test(text)) return "<age>";
    if (TIME.test(text)) return text.includes(".") ? "<micro time>" : "<time>";
    return text.replaceAll(UID, (uid) => ordinal(this.#uids, uid, "uid")).replaceAll(ADDRESS, "<address>");
  }
}

function ordinal(known: Map<string, string>, value: string, word: string): string {
  const found = known.get(value) ?? `<${word} ${known.size + 1}>`;
  known.set(value, found);
  return found;
}

interface StatusBody {
  readonly reason?: string;
  readonly message?: string;
  readonly details?: {
    readonly name?: string;
    readonly kind?: string;
    readonly group?: string;
    readonly causes?: readonly { readonly reason?: string; readonly field?: string }[];
  };
}

function isStatus(body: unknown): body is StatusBody {
  return typeof body === "object" && body !== null && (body as { kind?: unknown }).kind === "Status";
}
