import { RealClock, seededRandom } from "@chaski/clock";
import {
  ConfigMap,
  Deployment,
  defineKind,
  type KubeList,
  type KubeObject,
  Namespace,
  type TransportRequest,
} from "@chaski/kube";
import { beforeEach, describe, expect, expectTypeOf, test } from "vitest";
import type { KindClient, WatchEvent } from "./client.ts";
import { createClient } from "./create-client.ts";

interface Boat extends KubeObject {
  readonly spec: { readonly sails: number };
}
const Boat = defineKind<Boat>({ group: "sea.test", version: "v1", kind: "Boat", plural: "boats", isNamespaced: true });

const key = { namespace: "shop", name: "web" };
let sent: TransportRequest | undefined;
let body: unknown;
beforeEach(() => {
  body = { metadata: key };
});

const client = createClient({
  cluster: "west",
  clock: new RealClock(),
  random: seededRandom(1),
  transport: {
    async send(request) {
      sent = request;
      const text = typeof body === "string" ? body : JSON.stringify(body);
      return {
        status: 200,
        headers: {},
        body: (async function* () {
          yield Buffer.from(text);
        })(),
      };
    },
    close: () => Promise.resolve(),
  },
});
const configMaps = client.of(ConfigMap);
const configMap: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: key };

describe("what goes over the wire", () => {
  const path = "/api/v1/namespaces/shop/configmaps";
  test.each([
    { what: "get", call: () => configMaps.get(key), line: `GET ${path}/web` },
    { what: "create", call: () => configMaps.create(configMap), line: `POST ${path}` },
    { what: "update", call: () => configMaps.update(configMap), line: `PUT ${path}/web` },
    { what: "update of the status", call: () => configMaps.updateStatus(configMap), line: `PUT ${path}/web/status` },
    {
      what: "JSON patch",
      call: () => configMaps.patch(key, "json", []),
      line: `PATCH ${path}/web`,
      type: "application/json-patch+json",
    },
    {
      what: "merge patch of a subresource",
      call: () => configMaps.patch(key, "merge", {}, { subresource: "scale" }),
      line: `PATCH ${path}/web/scale`,
      type: "application/merge-patch+json",
    },
    {
      what: "strategic patch",
      call: () => configMaps.patch(key, "strategic", {}),
      line: `PATCH ${path}/web`,
      type: "application/strategic-merge-patch+json",
    },
    {
      what: "apply",
      call: () => configMaps.apply(configMap, { fieldManager: "me", force: true }),
      line: `PATCH ${path}/web?fieldManager=me&force=true`,
      type: "application/apply-patch+yaml",
    },
    {
      what: "a write with every option",
      call: () => configMaps.create(configMap, { dryRun: true, fieldManager: "me", fieldValidation: "Strict" }),
      line: `POST ${path}?dryRun=All&fieldManager=me&fieldValidation=Strict`,
    },
    { what: "delete", call: () => configMaps.delete(key), line: `DELETE ${path}/web` },
    {
      what: "a kind without namespaces",
      call: () => client.of(Namespace).get({ name: "shop" }),
      line: "GET /api/v1/namespaces/shop",
    },
    {
      what: "a kind in a group",
      call: () => client.of(Boat).get(key),
      line: "GET /apis/sea.test/v1/namespaces/shop/boats/web",
    },
    {
      what: "a name that needs care",
      call: () => configMaps.get({ namespace: "shop", name: "a/b?c" }),
      line: `GET ${path}/a%2Fb%3Fc`,
    },
  ])("$what is $line", async ({ call, line, type }) => {
    await call();
    expect(`${sent?.method} ${sent?.path}`).toBe(line);
    if (type !== undefined) expect(sent?.headers["content-type"]).toBe(type);
  });

  test("a delete carries preconditions, propagation, grace and dry run", async () => {
    const preconditions = { uid: "u", resourceVersion: "7" };
    await configMaps.delete(key, { propagation: "Foreground", gracePeriodSeconds: 0, preconditions, dryRun: true });
    expect(JSON.parse(sent?.body ?? "")).toEqual({
      kind: "DeleteOptions",
      apiVersion: "v1",
      propagationPolicy: "Foreground",
      gracePeriodSeconds: 0,
      preconditions,
      dryRun: ["All"],
    });
  });

  test("a list carries selectors, limit and versions; a watch always asks for bookmarks", async () => {
    body = { items: [], metadata: {} };
    await configMaps.list({ labelSelector: "a=b,c", fieldSelector: "metadata.name=x", limit: 5, resourceVersion: "0" });
    expect(new URLSearchParams(sent?.path.split("?")[1])).toEqual(
      new URLSearchParams({
        labelSelector: "a=b,c",
        fieldSelector: "metadata.name=x",
        limit: "5",
        resourceVersion: "0",
      }),
    );
    body = "";
    await configMaps.watch({ signal: new AbortController().signal, sendInitialEvents: true }, () => undefined);
    expect(Object.fromEntries(new URLSearchParams(sent?.path.split("?")[1]))).toEqual({
      watch: "true",
      allowWatchBookmarks: "true",
      sendInitialEvents: "true",
      resourceVersionMatch: "NotOlderThan",
    });
  });

  test("metadata alone is asked for by the media type, of one object after the other or of a list", async () => {
    body = { items: [], metadata: {} };
    await configMaps.list({ isMetadataOnly: true });
    expect(sent?.headers["accept"]).toBe(
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json",
    );
    body = "";
    await configMaps.watch({ signal: new AbortController().signal, isMetadataOnly: true }, () => undefined);
    expect(sent?.headers["accept"]).toBe(
      "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json",
    );
  });

  test("somebody else's name and groups go along, and the first client stays itself", async () => {
    await client
      .as({ user: "ada", groups: ["dev", "ops"] })
      .of(ConfigMap)
      .get(key);
    expect(sent?.headers["impersonate-user"]).toBe("ada");
    expect(sent?.repeatedHeaders?.["impersonate-group"]).toEqual(["dev", "ops"]);
    await configMaps.get(key);
    expect(sent?.headers["impersonate-user"]).toBeUndefined();
  });

  test("a namespaced object without a namespace is refused before anything is sent", async () => {
    sent = undefined;
    expect(() => configMaps.get({ name: "web" })).toThrow("ConfigMap web needs a namespace");
    expect(sent).toBeUndefined();
  });
});

describe("what comes back", () => {
  test("items of a list get the apiVersion and kind that the server leaves out", async () => {
    body = { metadata: {}, items: [{ metadata: key }] };
    expect((await configMaps.list()).items).toEqual([configMap]);
  });

  test.each([
    { what: "no JSON", answer: "<html>", says: "6 characters that are not JSON" },
    { what: "an object without a name", answer: { metadata: {} }, says: "an object without metadata.name" },
    { what: "null", answer: "null", says: "an object without metadata.name" },
  ])("$what is MalformedResponse", async ({ answer, says }) => {
    body = answer;
    await expect(configMaps.get(key)).rejects.toMatchObject({ reason: "MalformedResponse" });
    await expect(configMaps.get(key)).rejects.toThrow(says);
  });

  test("a list without items is MalformedResponse", async () => {
    body = {};
    await expect(configMaps.list()).rejects.toThrow("a list without items");
  });

  test("a malformed item does not hide the others", async () => {
    body = { items: [null, {}, { metadata: key }] };
    expect((await configMaps.list()).items.at(-1)).toEqual(configMap);
  });

  test("an ERROR event is thrown as what it carries", async () => {
    const status = { kind: "Status", code: 410, reason: "Expired", message: "too old resource version" };
    body = `${JSON.stringify({ type: "ERROR", object: status })}\n`;
    const watching = configMaps.watch({ signal: new AbortController().signal }, () => undefined);
    await expect(watching).rejects.toMatchObject({
      reason: "Gone",
      serverReason: "Expired",
      attempted: { verb: "watch" },
    });
  });

  test("a line that is no event is an error, not an end", async () => {
    body = "<html>\n";
    const watching = configMaps.watch({ signal: new AbortController().signal }, () => undefined);
    await expect(watching).rejects.toMatchObject({ reason: "MalformedResponse" });
  });
});

test("every call is typed by its kind, built-in or custom", () => {
  const boats = client.of(Boat);
  const deployments = client.of(Deployment);
  type Boats = typeof boats;
  expectTypeOf(boats).toEqualTypeOf<KindClient<Boat>>();
  expectTypeOf<Awaited<ReturnType<(typeof deployments)["get"]>>>().toEqualTypeOf<Deployment>();
  expectTypeOf<Awaited<ReturnType<Boats["list"]>>>().toEqualTypeOf<KubeList<Boat>>();
  expectTypeOf<Parameters<Parameters<Boats["watch"]>[1]>[0]>().toEqualTypeOf<readonly WatchEvent<Boat>[]>();
  expectTypeOf<Parameters<Boats["create"]>[0]>().toEqualTypeOf<Boat>();
  // @ts-expect-error a Deployment is no boat
  const wrong: KindClient<Boat> = client.of(Deployment);
  // @ts-expect-error a boat has no cargo
  const cargo = (boat: Boat): unknown => boat.spec.cargo;
  expect([wrong, cargo]).toHaveLength(2);
});
