// A new node is tainted until it is ready, so that no pod goes to it too early.
import { objectAt, objectsAt } from "../schema/fields.ts";
import type { JsonObject } from "../schema/json.ts";
import type { Api } from "../request/api.ts";
import { Backlog } from "./backlog.ts";

const NODES = "/nodes";
const NOT_READY = "node.kubernetes.io/not-ready";

export class NodeTaints {
  readonly #api: Api;
  readonly #backlog: Backlog;

  constructor(api: Api) {
    this.#api = api;
    this.#backlog = new Backlog(async (name) => this.#untaint(name));
    api.store.collection(NODES).listen(({ type, after }) => {
      if (type !== "DELETED") this.#backlog.add(after.key);
    });
  }

  #untaint(name: string): void {
    const node = this.#api.store.collection(NODES).get(name)?.object;
    if (!node || !isReady(node)) return;
    const { taints, ...spec } = objectAt(node, "spec") ?? {};
    const left = objectsAt({ taints }, "taints").filter(({ key }) => key !== NOT_READY);
    if (!Array.isArray(taints) || left.length === taints.length) return;
    const object = { ...node, spec: left.length > 0 ? { ...spec, taints: left } : spec };
    this.#api.store.put({ collection: NODES, key: name, object });
  }
}

function isReady(node: JsonObject): boolean {
  return objectsAt(node, "status", "conditions").some(({ type, status }) => type === "Ready" && status === "True");
}
