import { Environment } from "@marcbachmann/cel-js";
import { registerLists } from "./library/lists.ts";
import { registerNetwork } from "./library/network.ts";
import { registerQuantity } from "./library/quantity.ts";
import { registerRegex } from "./library/regex.ts";
import { registerStrings } from "./library/strings.ts";
import { registerUrl } from "./library/url.ts";

let base: Environment | undefined;

/** CEL with Kubernetes' functions. Building it takes milliseconds, so it waits for the first expression. */
export function newEnvironment(): Environment {
  base ??= buildBase();
  return base.clone();
}

function buildBase(): Environment {
  const environment = new Environment({
    enableOptionalTypes: true,
    // The server allows mixed lists only in format(); here they are allowed everywhere.
    homogeneousAggregateLiterals: false,
    limits: { maxAstNodes: 20_000, maxDepth: 200, maxListElements: 5000, maxMapEntries: 5000, maxCallArguments: 32 },
  });
  registerRegex(environment);
  registerStrings(environment);
  registerLists(environment);
  registerQuantity(environment);
  registerNetwork(environment);
  registerUrl(environment);
  return environment;
}
