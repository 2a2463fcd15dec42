// How the real server's Go types write JSON: which fields are left out when empty, and which are pointers. The OpenAPI
// documents do not say it, but every object that passes through the server is shaped by it.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { downloadModule } from "../test/kube/assets-build.ts";

const PACKAGES: Readonly<Record<string, { readonly module: string; readonly folder: string }>> = {
  "io.k8s.api.": { module: "k8s.io/api", folder: "" },
  "io.k8s.apimachinery.": { module: "k8s.io/apimachinery", folder: "" },
  "io.k8s.apiextensions-apiserver.": { module: "k8s.io/apiextensions-apiserver", folder: "" },
  "io.k8s.kube-aggregator.": { module: "k8s.io/kube-aggregator", folder: "" },
};

interface GoField {
  readonly json: string;
  /** The field's number in protobuf; behind that of the struct it is inlined from, if it is. */
  readonly proto: string;
  readonly type: string;
  readonly options: readonly string[];
}

export class GoTypes {
  readonly #structs = new Map<string, readonly GoField[]>();
  readonly #modules: ReadonlyMap<string, string>;

  private constructor(modules: ReadonlyMap<string, string>) {
    this.#modules = modules;
  }

  static async load(version: string): Promise<GoTypes> {
    const modules = new Map<string, string>();
    for (const [prefix, { module }] of Object.entries(PACKAGES))
      modules.set(prefix, await downloadModule(`${module}@${version}`));
    return new GoTypes(modules);
  }

  /**
   * Flags by JSON field of a schema's Go struct: `p` pointer, `e` omitempty, `z` omitzero, then its number in protobuf.
   * Undefined for what is no struct there.
   */
  async flagsOf(schemaName: string): Promise<Readonly<Record<string, string>> | undefined> {
    const fields = await this.#fieldsOf(schemaName);
    if (!fields) return undefined;
    const flags = fields.map(({ json, type, options, proto }) => {
      const pointer = type.startsWith("*") ? "p" : "";
      const empty = options.includes("omitempty") ? "e" : "";
      return [json, `${pointer}${empty}${options.includes("omitzero") ? "z" : ""}${proto}`] as const;
    });
    return Object.fromEntries(flags);
  }

  async #fieldsOf(schemaName: string): Promise<readonly GoField[] | undefined> {
    const prefix = [...this.#modules.keys()].find((candidate) => schemaName.startsWith(candidate));
    if (!prefix) return undefined;
    const segments = schemaName.slice(prefix.length).split(".");
    const typeName = segments.pop() ?? "";
    const folder = join(this.#modules.get(prefix) ?? "", ...segments);
    await this.#loadPackage(folder);
    return this.#resolve(folder, typeName);
  }

  #resolve(folder: string, typeName: string): readonly GoField[] | undefined {
    return this.#structs.get(`${folder}#${typeName}`)?.flatMap((field) => {
      if (!field.options.includes("inline")) return [field];
      const inlined = this.#resolve(folder, field.type.replace(/^\*/, "")) ?? [];
      return inlined.map((inner) => ({
        ...inner,
        proto: field.proto === "" ? inner.proto : `${field.proto}.${inner.proto}`,
      }));
    });
  }

  async #loadPackage(folder: string): Promise<void> {
    if (this.#structs.has(folder)) return;
    this.#structs.set(folder, []);
    const files = (await readdir(folder)).filter((file) => /types.*\.go$|^(time|micro_time|duration)\.go$/.test(file));
    for (const file of files) this.#parse(folder, await readFile(join(folder, file), "utf8"));
  }

  #parse(folder: string, source: string): void {
    for (const [, name, body] of source.matchAll(/^type (\w+) struct \{\n(.*?)^\}/gms)) {
      const lines = [...(body ?? "").matchAll(/^\t(?:\w+\s+)?([*\w.[\]]+)\s+`([^`]*)`/gm)];
      const fields = lines.flatMap(([, type = "", tags = ""]): GoField[] => {
        const tag = /json:"([^"]*)"/.exec(tags)?.[1];
        if (tag === undefined) return [];
        const [json = "", ...options] = tag.split(",");
        return [{ json, type, options, proto: /protobuf:"\w+,(\d+)/.exec(tags)?.[1] ?? "" }];
      });
      this.#structs.set(`${folder}#${name}`, fields);
    }
  }
}
