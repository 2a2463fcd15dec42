// `node docs/example/main.ts`: the operator on the cluster that kubectl would talk to, until a signal ends it.
import { runOperator } from "@chaski/runtime";
import { operator } from "./operator.ts";

const { HEALTH_PORT = "8080" } = process.env;
process.exitCode = await runOperator({ ...operator, health: { port: Number(HEALTH_PORT) } });
