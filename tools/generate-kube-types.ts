// `npm run generate:kube`: the built-in kinds' types, values and field rules in packages/kube/src/generated, from the
// OpenAPI documents that Kubernetes publishes with its Go module.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeFieldRules } from "./generate-kube-types/field-rules.ts";
import { writeKindValues } from "./generate-kube-types/kind-values.ts";
import { builtInKinds } from "./generate-kube-types/kinds.ts";
import { givenTypes, nameSchemas } from "./generate-kube-types/names.ts";
import { readSchemas, referencesOf, type Schemas } from "./generate-kube-types/schema.ts";
import { type Generation, writeTypes } from "./generate-kube-types/types.ts";

const kubernetesVersion = "v1.35.4";
const folder = join(import.meta.dirname, "../packages/kube/src/generated");

const schemas = readSchemas(kubernetesVersion, new Set(builtInKinds.map(({ apiVersion }) => apiVersion)));
const names = nameSchemas(
  reachable(
    schemas,
    builtInKinds.map(({ schema }) => schema),
  ),
);
const generation: Generation = { schemas, kinds: builtInKinds, names };

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [file, text] of writeTypes(generation)) writeFileSync(join(folder, file), text);
writeFileSync(join(folder, "kinds.ts"), writeKindValues(generation));
writeFileSync(join(folder, "field-rules.ts"), writeFieldRules(generation));

function reachable(all: Schemas, roots: readonly string[]): string[] {
  const found = new Set<string>();
  const pending = [...roots];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (found.has(next) || givenTypes[next] !== undefined) continue;
    const schema = all.get(next);
    if (schema === undefined) throw new Error(`Kubernetes ${kubernetesVersion} has no schema ${next}`);
    found.add(next);
    pending.push(...referencesOf(schema));
  }
  return [...found].toSorted();
}
