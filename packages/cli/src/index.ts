export { lintText } from "./commands/lint.ts";
export { explainGates } from "./commands/why.ts";
export { run } from "./run.ts";
