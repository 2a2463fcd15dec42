// Random things that clients do to a few objects, as data: a sequence can be replayed and shrunk.
import type { Random } from "@chaski/clock";
import type { Requests } from "../requests.ts";

export interface Operation {
  readonly target: Target;
  readonly verb: "create" | "update" | "merge" | "strategic" | "json" | "apply" | "delete" | "status" | "scale";
  readonly name: string;
  readonly manager: string;
  readonly force: boolean;
  /** Spec, data or patch: what the verb sends. */
  readonly content: unknown;
  readonly metadata: object;
}

export interface Target {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly field: "data" | "spec";
}

export const WIDGET: Target = { apiVersion: "fuzz.example.com/v1", kind: "Widget", plural: "widgets", field: "spec" };
const TARGETS: readonly Target[] = [
  { apiVersion: "v1", kind: "ConfigMap", plural: "configmaps", field: "data" },
  { apiVersion: "apps/v1", kind: "Deployment", plural: "deployments", field: "spec" },
  { apiVersion: "v1", kind: "Service", plural: "services", field: "spec" },
  WIDGET,
];

/** A choice of values that meet often enough to conflict. */
class Dice {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  one<T>(choices: readonly T[]): T {
    const chosen = choices[Math.floor(this.#random() * choices.length)];
    if (chosen === undefined) throw new Error("nothing to choose from");
    return chosen;
  }

  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  /** Each entry with even odds. */
  some(object: Readonly<Record<string, () => unknown>>): Record<string, unknown> {
    const kept = Object.entries(object).filter(() => this.chance(0.5));
    return Object.fromEntries(kept.map(([key, value]) => [key, value()]));
  }

  list<T>(make: () => T): T[] {
    return Array.from({ length: Math.floor(this.#random() * 3) }, make);
  }
}

export function randomSequence(random: Random): Operation[] {
  const dice = new Dice(random);
  const target = dice.one(TARGETS);
  return Array.from({ length: 3 + Math.floor(random() * 7) }, () => randomOperation(dice, target));
}

const VERBS = [
  "create",
  "update",
  "merge",
  "merge",
  "strategic",
  "json",
  "apply",
  "apply",
  "apply",
  "delete",
  "status",
  "scale",
] as const;

function randomOperation(dice: Dice, target: Target): Operation {
  const verb = dice.one(VERBS);
  return {
    target,
    verb,
    name: dice.one(["a", "b"]),
    manager: dice.one(["m1", "m2", "m3"]),
    force: dice.chance(0.4),
    content: verb === "json" ? randomJsonPatch(dice, target) : randomContent(dice, target),
    metadata: withoutEmpty({
      labels: dice.some({ x: () => dice.one(["1", "2"]), y: () => dice.one(["1", null]) }),
      annotations: dice.some({ note: () => dice.one(["hello", ""]) }),
    }),
  };
}

/** The real server stores an empty map and hides it, and then counts its loss as a change: not worth having. */
function withoutEmpty(maps: Readonly<Record<string, object>>): object {
  return Object.fromEntries(Object.entries(maps).filter(([, map]) => Object.keys(map).length > 0));
}

function randomContent(dice: Dice, { kind }: Target): unknown {
  switch (kind) {
    case "ConfigMap":
      return dice.some({ a: () => dice.one(["1", "2"]), b: () => dice.one(["1", null]), c: () => dice.one(["x", 3]) });
    case "Deployment":
      return {
        selector: { matchLabels: { app: "w" } },
        template: randomTemplate(dice),
        ...dice.some({
          replicas: () => dice.one([0, 1, 3, -1]),
          paused: () => dice.one([true, false]),
          strategy: () => dice.one([{ type: "Recreate" }, { rollingUpdate: { maxSurge: dice.one([1, "50%"]) } }]),
        }),
      };
    case "Service":
      return {
        selector: dice.some({ app: () => "w", tier: () => dice.one(["x", "y"]) }),
        ports: [
          { name: "http", port: 80 },
          ...dice.list(() => ({
            name: dice.one(["p", "q"]),
            port: dice.one([81, 82]),
            ...dice.some({ targetPort: () => dice.one([8080, "web"]) }),
          })),
        ],
      };
    default:
      return {
        size: dice.one([1, 2, 3, 99]),
        ...dice.some({
          tags: () => dice.list(() => dice.one(["t", "u", "v"])),
          ports: () =>
            dice.list(() => ({ name: dice.one(["p", "q"]), ...dice.some({ port: () => dice.one([1, 2]) }) })),
          extra: () => dice.some({ k: () => dice.one([1, "s", [1], { d: null }]) }),
          color: () => dice.one(["red", "green", "blue", null]),
          unknown: () => true,
        }),
      };
  }
}

function randomTemplate(dice: Dice): object {
  const containers = [
    { name: "main", image: dice.one(["i:1", "i:2"]) },
    ...dice.list(() => ({
      name: dice.one(["s1", "s2"]),
      image: "i:3",
      ...dice.some({
        env: () => dice.list(() => ({ name: dice.one(["A", "B"]), value: dice.one(["1", "2"]) })),
        ports: () => [{ containerPort: dice.one([80, 81]) }],
      }),
    })),
  ];
  return { metadata: { labels: { app: "w" } }, spec: { containers } };
}

function randomJsonPatch(dice: Dice, { field }: Target): object[] {
  const paths = [
    `/${field}/a`,
    "/metadata/labels/x",
    "/metadata/labels",
    `/${field}/size`,
    `/${field}/tags/0`,
    `/${field}/replicas`,
  ];
  return [
    { op: dice.one(["add", "replace", "remove", "test"]), path: dice.one(paths), value: dice.one(["1", 2, {}, ["z"]]) },
  ];
}

/** Does it; what the server answers is recorded by the client. */
export async function perform(api: Requests, namespace: string, operation: Operation): Promise<void> {
  const { target, verb, name, manager, force, content, metadata } = operation;
  const root = target.apiVersion.includes("/") ? `/apis/${target.apiVersion}` : `/api/${target.apiVersion}`;
  const collection = `${root}/namespaces/${namespace}/${target.plural}`;
  await SENDERS[verb](api, {
    collection,
    path: `${collection}/${name}`,
    by: `?fieldManager=${manager}`,
    force,
    object: {
      apiVersion: target.apiVersion,
      kind: target.kind,
      metadata: { name, ...metadata },
      [target.field]: content,
    },
    patch: { metadata, [target.field]: content },
    content,
    metadata,
  });
}

interface Sending {
  readonly collection: string;
  readonly path: string;
  readonly by: string;
  readonly force: boolean;
  readonly object: Record<string, unknown>;
  readonly patch: object;
  readonly content: unknown;
  readonly metadata: object;
}

const SENDERS: Readonly<Record<Operation["verb"], (api: Requests, sending: Sending) => Promise<unknown>>> = {
  create: (api, { collection, by, object }) => api.post(`${collection}${by}`, object),
  update: (api, { path, by, object }) => update(api, path, { by, object }),
  merge: (api, { path, by, patch }) => api.merge(`${path}${by}`, patch),
  strategic: (api, { path, by, patch }) => api.strategic(`${path}${by}`, patch),
  json: (api, { path, by, content }) => api.jsonPatch(`${path}${by}`, content),
  apply: (api, { path, by, force, object }) => api.apply(`${path}${by}${force ? "&force=true" : ""}`, object),
  status: (api, { path, by, metadata }) =>
    api.merge(`${path}/status${by}`, { metadata, status: { replicas: 2, conditions: [] } }),
  scale: (api, { path, by, force }) => api.merge(`${path}/scale${by}`, { spec: { replicas: force ? 4 : 2 } }),
  delete: (api, { path }) => api.delete(path),
};

/** On what is there, with its resourceVersion; Services keep their address. */
async function update(
  api: Requests,
  path: string,
  { by, object }: { by: string; object: Record<string, unknown> },
): Promise<void> {
  const { body } = await api.unrecorded().get(path);
  const metadata = { ...(object["metadata"] as object), resourceVersion: body.metadata?.resourceVersion as string };
  await api.put(`${path}${by}`, { ...object, metadata });
}
