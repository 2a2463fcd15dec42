// Which form of the answer the client takes: the object itself, its metadata alone, or a table for people.
import { notAcceptable } from "../errors/api-error.ts";

export type View = "object" | "metadata" | "table";

export interface Negotiated {
  readonly view: View;
  readonly format: "json" | "yaml";
  readonly isPretty: boolean;
}

const VIEWS: Readonly<Record<string, View>> = {
  Table: "table",
  PartialObjectMetadata: "metadata",
  PartialObjectMetadataList: "metadata",
};

export function negotiate(accept: string | undefined, userAgent: string | undefined): Negotiated {
  if (accept === undefined || accept.trim() === "" || accept === "application/json")
    return { view: "object", format: "json", isPretty: isPerson(userAgent) };
  const clauses = accept.split(",").map(parseClause);
  for (const clause of clauses.toSorted((left, right) => right.quality - left.quality)) {
    const negotiated = understand(clause, userAgent);
    if (negotiated) return negotiated;
  }
  throw notAcceptable("application/json, application/yaml, application/vnd.kubernetes.protobuf");
}

interface Clause {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

function parseClause(text: string): Clause {
  const [type = "", ...rest] = text.split(";").map((part) => part.trim());
  const parameters = new Map(
    rest.map((part) => {
      const equals = part.indexOf("=");
      return [part.slice(0, equals).toLowerCase(), part.slice(equals + 1)] as const;
    }),
  );
  return { type: type.toLowerCase(), parameters, quality: Number(parameters.get("q") ?? 1) };
}

function understand({ type, parameters }: Clause, userAgent: string | undefined): Negotiated | undefined {
  const format = formatOf(type);
  if (!format) return undefined;
  const as = parameters.get("as");
  if (as === undefined) return { view: "object", format, isPretty: isPerson(userAgent) };
  const isMeta = (parameters.get("g") ?? "meta.k8s.io") === "meta.k8s.io" && (parameters.get("v") ?? "v1") === "v1";
  const view = isMeta ? VIEWS[as] : undefined;
  return view && { view, format, isPretty: isPerson(userAgent) };
}

function formatOf(type: string): "json" | "yaml" | undefined {
  if (type === "application/json" || type === "*/*" || type === "application/*") return "json";
  return type === "application/yaml" ? "yaml" : undefined;
}

/** The real server indents for those who read JSON with their eyes. */
function isPerson(userAgent: string | undefined): boolean {
  return /^(curl|Wget|Mozilla\/5\.0)/.test(userAgent ?? "");
}
