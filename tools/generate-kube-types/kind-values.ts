import { constantName, groupOf } from "./names.ts";
import { type Generation, header } from "./types.ts";

/** kinds.ts: every kind as a value of the same name as its type. */
export function writeKindValues({ kinds, names }: Generation): string {
  const served = kinds
    .filter(({ plural }) => plural !== "")
    .map((kind) => ({ ...kind, name: constantName(kind, names), module: groupOf(kind.schema) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const modules = [...new Set(served.map(({ module }) => module))].toSorted();
  const imports = modules.map((module) => `import type * as ${module} from "./${module}.ts";`);
  const values = served.map(({ name, module, apiVersion, kind, plural, isNamespaced }) => {
    const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
    const definition = { group, version, kind, plural, isNamespaced };
    const fields = Object.entries(definition).map(([field, value]) => `  ${field}: ${JSON.stringify(value)},`);
    const value = `export const ${name} = defineKind<${name}>({\n${fields.join("\n")}\n});`;
    return `export type ${name} = ${module}.${name};\n${value}\n`;
  });
  return [header, 'import { defineKind } from "../kind.ts";', ...imports, "", ...values].join("\n");
}
