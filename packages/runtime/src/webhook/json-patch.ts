export type PatchOperation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string };

/** The JSON patch that makes one value the other. Lists are replaced as a whole. */
export function jsonPatch(from: unknown, to: unknown, path = ""): readonly PatchOperation[] {
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  if (!isObject(from) || !isObject(to)) return [{ op: "replace", path, value: to }];
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return names.flatMap((name): readonly PatchOperation[] => {
    const inner = `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (to[name] === undefined) return from[name] === undefined ? [] : [{ op: "remove", path: inner }];
    if (from[name] === undefined) return [{ op: "add", path: inner, value: to[name] }];
    return jsonPatch(from[name], to[name], inner);
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
