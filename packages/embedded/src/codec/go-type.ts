// How the real server's Go types shape JSON, compiled from the trimmed OpenAPI data. Every built-in object that enters
// the server takes this shape, whatever the client wrote.

export type GoType =
  | {
      readonly kind: "struct";
      readonly name: string;
      readonly fields: ReadonlyMap<string, GoField>;
      /** The same in the order in which they are written. */
      readonly ordered: readonly GoField[];
    }
  | { readonly kind: "list"; readonly item: GoType }
  | { readonly kind: "map"; readonly value: GoType }
  | { readonly kind: "integer"; readonly bits: 32 | 64 }
  | { readonly kind: "number" | "string" | "boolean" | "bytes" }
  | { readonly kind: "quantity" | "intOrString" | "time" | "microTime" | "raw" }
  | { readonly kind: "schemaOrBool"; readonly schema: GoType }
  | { readonly kind: "schemaOrArray"; readonly schema: GoType };

export interface GoField {
  readonly name: string;
  readonly type: GoType;
  readonly isPointer: boolean;
  readonly omitsEmpty: boolean;
  readonly omitsZero: boolean;
  /** Whatever the struct: nothing stands for it when nobody set it. */
  readonly isLeftOut: boolean;
  /** Its number in protobuf messages; of an inlined field, behind the number of the message that holds it. */
  readonly proto: readonly number[];
}

/** A node of generated/schemas.json: OpenAPI v3 without prose, plus the JSON flags of the Go field. */
export interface OpenApiNode {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, OpenApiNode>>;
  readonly items?: OpenApiNode;
  readonly additionalProperties?: OpenApiNode;
  readonly "x-go"?: string;
}

export type OpenApiSchemas = Readonly<Record<string, OpenApiNode>>;

const REF_PREFIX = "#/components/schemas/";
const META = "io.k8s.apimachinery.pkg.";
const CRD = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.";

const SPECIAL: Readonly<Record<string, GoType>> = {
  [`${META}api.resource.Quantity`]: { kind: "quantity" },
  [`${META}util.intstr.IntOrString`]: { kind: "intOrString" },
  [`${META}apis.meta.v1.Time`]: { kind: "time" },
  [`${META}apis.meta.v1.MicroTime`]: { kind: "microTime" },
  [`${META}apis.meta.v1.FieldsV1`]: { kind: "raw" },
  [`${META}runtime.RawExtension`]: { kind: "raw" },
  [`${CRD}JSON`]: { kind: "raw" },
  [`${CRD}JSONSchemaPropsOrStringArray`]: { kind: "raw" },
};

export class GoTypes {
  readonly #schemas: OpenApiSchemas;
  readonly #named = new Map<string, GoType>();

  constructor(schemas: OpenApiSchemas) {
    this.#schemas = schemas;
  }

  named(name: string): GoType {
    return this.#named.get(name) ?? SPECIAL[name] ?? this.#compileNamed(name);
  }

  #compileNamed(name: string): GoType {
    if (name === `${CRD}JSONSchemaPropsOrBool`)
      return { kind: "schemaOrBool", schema: this.named(`${CRD}JSONSchemaProps`) };
    if (name === `${CRD}JSONSchemaPropsOrArray`)
      return { kind: "schemaOrArray", schema: this.named(`${CRD}JSONSchemaProps`) };
    const fields = new Map<string, GoField>();
    const ordered: GoField[] = [];
    const type: GoType = { kind: "struct", name: name.slice(name.lastIndexOf(".") + 1), fields, ordered };
    // Known before its fields are, because types refer to themselves.
    this.#named.set(name, type);
    for (const [property, node] of Object.entries(this.#schemas[name]?.properties ?? {})) {
      const field = this.#field(property, node);
      fields.set(property, field);
      ordered.push(field);
    }
    return type;
  }

  #field(name: string, node: OpenApiNode): GoField {
    const flags = node["x-go"] ?? "";
    const type = this.#compile(node);
    const [isPointer, omitsEmpty, omitsZero] = [flags.includes("p"), flags.includes("e"), flags.includes("z")];
    const isNil = isPointer || isNilable(type);
    return {
      name,
      type,
      isPointer,
      omitsEmpty,
      omitsZero,
      isLeftOut: isNil ? omitsEmpty || omitsZero : omitsEmpty && isScalar(type),
      proto: (/[\d.]+$/.exec(flags)?.[0] ?? "").split(".").filter(Boolean).map(Number),
    };
  }

  #compile(node: OpenApiNode): GoType {
    if (node.$ref) return this.named(node.$ref.slice(REF_PREFIX.length));
    if (node.type === "array") return { kind: "list", item: this.#compile(node.items ?? {}) };
    if (node.additionalProperties) return { kind: "map", value: this.#compile(node.additionalProperties) };
    return scalarType(node);
  }
}

export function isNilable({ kind }: GoType): boolean {
  return kind === "list" || kind === "map" || kind === "bytes";
}

export function isScalar({ kind }: GoType): boolean {
  return kind === "integer" || kind === "number" || kind === "string" || kind === "boolean";
}

function scalarType({ type, format }: OpenApiNode): GoType {
  switch (type) {
    case "integer":
      return { kind: "integer", bits: format === "int64" ? 64 : 32 };
    case "string":
      return { kind: format === "byte" ? "bytes" : "string" };
    case "number":
    case "boolean":
      return { kind: type };
    default:
      return { kind: "raw" };
  }
}
