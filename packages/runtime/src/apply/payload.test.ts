import { ConfigMap } from "@chaski/kube";
import { describe, expect, test } from "vitest";
import { type ApplyEntry, apply } from "../decision/index.ts";
import { Payloads } from "./payload.ts";

const owner = { delivery: "main", controller: "test.thing", key: "shop/web" };

function entryOf(data: unknown): ApplyEntry {
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "shop", name: "web" }, data };
  return apply({ kind: ConfigMap, namespace: "shop", name: "web" }, object);
}

describe("payloads of a decision", () => {
  test("what was prepared is not worked out again", () => {
    const payloads = new Payloads(owner);
    const entry = entryOf({ colour: "red" });
    payloads.prepare([entry]);
    expect(payloads.of(entry)).toBe(payloads.of(entry));
    expect(payloads.of(entry)).not.toBe(payloads.of(entryOf({ colour: "red" })));
  });

  test("what can't be worked out fails when it is applied, and keeps nobody from being committed", () => {
    const payloads = new Payloads(owner);
    const entry = entryOf({ size: 3n });
    payloads.prepare([entry, entryOf({ colour: "red" })]);
    expect(() => payloads.of(entry)).toThrow("BigInt");
  });
});
