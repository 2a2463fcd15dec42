import { describe, expect, test } from "vitest";
import { revisionWith } from "../../../test/revision.ts";
import type { PortInfo } from "../port.ts";
import { mutateRevision } from "./mutate-revision.ts";

interface Given {
  readonly ports: PortInfo[];
  readonly defaultIngressPorts?: Record<string, string>;
}

function mutated(given: Given) {
  const target = mutateRevision(revisionWith(given)).spec.targets[0];
  const ingresses = Object.fromEntries((target?.ports ?? []).map((port) => [port.name, port.ingresses]));
  return { ingresses, defaults: target?.defaultIngressPorts };
}

test("scenario 1: modes become ingresses, and each ingress gets its default port", () => {
  const ports = [
    { name: "http", mode: "private" },
    { name: "grpc", mode: "public" },
    { name: "status", mode: "local" },
  ];
  expect(mutated({ ports })).toEqual({
    ingresses: { http: ["private"], grpc: ["private", "public"], status: undefined },
    defaults: { private: "http", public: "grpc" },
  });
});

describe("the default port of an ingress", () => {
  const http = { name: "http", mode: "private" };
  const grpc = { name: "grpc", mode: "private" };
  const web = { name: "web", mode: "private" };

  test.each([
    { which: "the only port", ports: [grpc], defaults: { private: "grpc" } },
    { which: "http among several", ports: [grpc, http], defaults: { private: "http" } },
    { which: "the flagged one (D-32)", ports: [http, { ...grpc, default: true }], defaults: { private: "grpc" } },
    { which: "nobody's, where no one says", ports: [grpc, web], defaults: undefined },
    {
      which: "nobody's, where two are flagged",
      ports: [
        { ...http, default: true },
        { ...grpc, default: true },
      ],
      defaults: undefined,
    },
  ])("is $which", ({ ports, defaults }) => {
    expect(mutated({ ports }).defaults).toEqual(defaults);
  });

  test("one that is given stays; only missing ones are added", () => {
    const ports = [http, { ...grpc, mode: "public" }];
    expect(mutated({ ports, defaultIngressPorts: { private: "grpc" } }).defaults).toEqual({
      private: "grpc",
      public: "grpc",
    });
  });
});

test("ingresses that a port names stay, whatever its mode", () => {
  const ports = [{ name: "http", mode: "local", ingresses: ["public"] }];
  expect(mutated({ ports })).toEqual({ ingresses: { http: ["public"] }, defaults: { public: "http" } });
});

test("what has everything is not touched, and the input never is", () => {
  const once = mutateRevision(revisionWith({ ports: [{ name: "http", mode: "private" }] }));
  expect(mutateRevision(once)).toBe(once);
  const given = revisionWith({ ports: [{ name: "http", mode: "private" }] });
  const before = structuredClone(given);
  mutateRevision(given);
  expect(given).toEqual(before);
});
