#!/usr/bin/env node
// Says which Node is needed before a source that an older one can't read is loaded.
const [major] = process.versions.node.split(".");
if (Number(major) < 24) {
  console.error(
    `chaski: this is Node ${process.versions.node}, and 24 or newer is needed; in a checkout, \`npx chaski\` uses it`,
  );
  process.exit(2);
}
// What was compiled once is not compiled again: starting takes half the time.
process.getBuiltinModule("node:module").enableCompileCache();
await import("../src/main.ts");
