// Other projects' kinds that a release writes: of each what the project's objects hold, as its own definition has it.
import type { JsonObject } from "../schema/json.ts";
import { crdOf } from "./definition.ts";
import { EXTERNAL_SECRETS } from "./external-secrets.ts";
import { GATEWAY } from "./gateway.ts";
import { ISTIO } from "./istio.ts";
import { KEDA } from "./keda.ts";
import { PROMETHEUS } from "./prometheus.ts";
import { SCALING } from "./scaling.ts";

/** CustomResourceDefinitions for a cluster of the fleet. */
export function fleetCrds(): readonly JsonObject[] {
  return [...ISTIO, ...KEDA, ...PROMETHEUS, ...EXTERNAL_SECRETS, ...GATEWAY, ...SCALING].map(crdOf);
}
