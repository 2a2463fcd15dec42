import { run } from "./run.ts";
import { endWithoutReader } from "./terminal/without-reader.ts";

endWithoutReader();
process.exitCode = await run(process.argv.slice(2));
