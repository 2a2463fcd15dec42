// `npm run generate`: CRDs, RBAC, install manifests and the API reference, from the definitions in code. With --check it
// writes nothing and tells what differs.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { generatedFiles } from "./generated-files.ts";

const isCheck = process.argv.includes("--check");
const outdated = [...generatedFiles()].filter(([path, content]) => read(path) !== content);
for (const [path, content] of outdated) {
  console.log(`${isCheck ? "outdated" : "written"}: ${path}`);
  if (!isCheck) write(path, content);
}
process.exitCode = isCheck && outdated.length > 0 ? 1 : 0;

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
