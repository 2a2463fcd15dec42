export { lintText } from "./commands/lint.ts";
export { run } from "./run.ts";
