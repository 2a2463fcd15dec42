import { formatTime } from "../codec/times.ts";
import type { Preparation } from "../registry/strategy.ts";
import type { JsonObject } from "../schema/json.ts";
import type { Api } from "../request/api.ts";
import type { ResourceRequest } from "../request/request.ts";
import { isDryRun } from "../request/options.ts";

export function preparationOf(api: Api, request: ResourceRequest): Preparation {
  return {
    nowIso: formatTime(api.clock.now()),
    namespace: request.namespace,
    isDryRun: isDryRun(request),
    random: api.random,
    list: (collection) => objectsIn(api, collection),
  };
}

function* objectsIn(api: Api, collection: string): Generator<JsonObject> {
  for (const { object } of api.store.collection(collection).list()) yield object;
}
