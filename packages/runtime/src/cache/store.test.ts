import { describe, expect, test } from "vitest";
import type { Thing } from "../../test/cache-api.ts";
import { Store } from "./store.ts";

function thing(key: string, labels: Readonly<Record<string, string>> = {}): Thing {
  const [namespace = "", name = ""] = key.split("/");
  return {
    apiVersion: "test.chaski.dev/v1",
    kind: "Thing",
    metadata: { namespace, name, labels, resourceVersion: "1" },
    spec: { value: 0 },
  };
}

const byApp = ({ metadata }: Readonly<Thing>): readonly string[] => metadata.labels?.["apps"]?.split("+") ?? [];
const keys = (things: readonly Readonly<Thing>[]): readonly string[] =>
  things.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);

describe("Indexer: key namespace/name; named index functions returning several values; indices updated atomically with the object", () => {
  test("the same name in two namespaces are two objects", () => {
    const store = new Store<Thing>();
    store.set(thing("a/web"));
    store.set(thing("b/web"));
    expect(keys([store.view().get("b/web")].flatMap((thing) => thing ?? []))).toEqual(["b/web"]);
    expect(store.view("a").get("web")?.metadata.namespace).toBe("a");
    expect(store.view("a").list()).toHaveLength(1);
    expect(store.view().list()).toHaveLength(2);
    expect(store.view("c").list()).toEqual([]);
    expect(store.size).toBe(2);
  });

  test("an object is found by each of its values, in all namespaces or in one", () => {
    const store = new Store<Thing>({ byApp });
    store.set(thing("a/web", { apps: "shop+blog" }));
    store.set(thing("b/web", { apps: "shop" }));
    expect(keys(store.view().byIndex("byApp", "shop"))).toEqual(["a/web", "b/web"]);
    expect(keys(store.view("b").byIndex("byApp", "shop"))).toEqual(["b/web"]);
    expect(keys(store.view().byIndex("byApp", "blog"))).toEqual(["a/web"]);
    expect(store.view().byIndex("byApp", "none")).toEqual([]);
  });

  test("a change leaves the old values in the same step, a deletion leaves all", () => {
    const store = new Store<Thing>({ byApp });
    store.set(thing("a/web", { apps: "shop+blog" }));
    store.set(thing("a/web", { apps: "blog+wiki" }));
    expect(["shop", "blog", "wiki"].map((app) => store.byIndex("byApp", app).length)).toEqual([0, 1, 1]);
    expect(store.byIndex("byApp", "blog")[0]).toBe(store.get({ namespace: "a", name: "web" }));
    store.delete({ namespace: "a", name: "web" });
    expect(["shop", "blog", "wiki"].map((app) => store.byIndex("byApp", app).length)).toEqual([0, 0, 0]);
    expect(store.size).toBe(0);
  });

  test("an index function that throws changes nothing", () => {
    const store = new Store<Thing>({
      byApp,
      strict: ({ metadata }) => {
        if (metadata.labels?.["apps"] === "bad") throw new Error("bad");
        return [];
      },
    });
    const before = thing("a/web", { apps: "shop" });
    store.set(before);
    expect(() => store.set(thing("a/web", { apps: "bad" }))).toThrow("bad");
    expect(store.byIndex("byApp", "shop")).toEqual([before]);
    expect(store.byIndex("byApp", "bad")).toEqual([]);
  });

  test("a change keeps the object's place in the list", () => {
    const store = new Store<Thing>();
    for (const name of ["x", "y", "z"]) store.set(thing(`a/${name}`));
    store.set(thing("a/x", { changed: "yes" }));
    expect(keys(store.list())).toEqual(["a/x", "a/y", "a/z"]);
  });

  test("an index that was not declared is an error that names those that were", () => {
    expect(() => new Store<Thing>({ byApp }).byIndex("byTeam", "x")).toThrow(
      "there is no index byTeam; declared: byApp",
    );
  });
});

test("reads hand out the objects themselves, not copies", () => {
  const store = new Store<Thing>({ byApp });
  const object = thing("a/web", { apps: "shop" });
  store.set(object);
  expect(store.view("a").get("web")).toBe(object);
  expect(store.view().list()[0]).toBe(object);
  expect(store.view().byIndex("byApp", "shop")[0]).toBe(object);
});
