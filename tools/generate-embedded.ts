// `npm run generate:embedded`: what the embedded API server knows of the built-in kinds, taken from the real one.
// Structure and discovery come from the Kubernetes module's own documents, the JSON rules from its Go types, and the
// columns of `kubectl get` from a running API server (KUBE_URL and KUBE_TOKEN; the committed ones are kept without).
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { downloadModule } from "../test/kube/assets-build.ts";
import { KUBERNETES_VERSION } from "../test/kube/assets-versions.ts";
import { fetchColumns } from "./generate-embedded-columns.ts";
import { readDiscovery } from "./generate-embedded-discovery.ts";
import { GoTypes } from "./generate-embedded-go.ts";
import { readSchemas } from "./generate-embedded-schemas.ts";

const OUTPUT = join(import.meta.dirname, "../packages/embedded/src/generated");

const kubernetes = await downloadModule(`k8s.io/kubernetes@${KUBERNETES_VERSION}`);
const resources = await readDiscovery(join(kubernetes, "api/discovery"));
const goTypes = await GoTypes.load(KUBERNETES_VERSION.replace("v1.", "v0."));
const schemas = await readSchemas({ folder: join(kubernetes, "api/openapi-spec/v3"), resources, goTypes });
const columns = await fetchColumns(process.env, resources);

await writeFile(join(OUTPUT, "schemas.json"), onePerLine(schemas));
await writeFile(join(OUTPUT, "resources.json"), onePerLine(resources));
if (columns) await writeFile(join(OUTPUT, "columns.json"), onePerLine(columns));
await writeFile(join(OUTPUT, "version.json"), `{ "gitVersion": "${KUBERNETES_VERSION}" }\n`);
console.log(`${Object.keys(resources).length} resources, ${Object.keys(schemas).length} schemas`);
console.log(await sizes());

/** Readable in a diff, yet small. */
function onePerLine(entries: Readonly<Record<string, unknown>>): string {
  const lines = Object.keys(entries)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}: ${JSON.stringify(entries[key])}`);
  return `{\n${lines.join(",\n")}\n}\n`;
}

async function sizes(): Promise<string> {
  const files = ["schemas.json", "resources.json", "columns.json"];
  const lengths = await Promise.all(files.map(async (file) => (await readFile(join(OUTPUT, file))).length));
  return files.map((file, index) => `${file} ${lengths[index]} bytes`).join(", ");
}
