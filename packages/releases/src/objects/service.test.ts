import { defaultPort } from "@chaski/api";
import { expect, test } from "vitest";
import { echoApp } from "../../test/echo.ts";
import { expectGolden } from "../../test/golden.ts";
import { buildService } from "./service.ts";

test("ports sorted by number, pods of every revision", () => {
  const ports = [
    { name: "status", mode: "local", port: 4242, containerPort: 4242 },
    { name: "http", mode: "private", port: 80, containerPort: 8080 },
  ].map(defaultPort);
  return expectGolden(buildService(echoApp(), ports), "service");
});

test("ports that share a container port lead to the one that the container lists", () => {
  const ports = [
    { name: "http", mode: "private", port: 80, containerPort: 8080 },
    { name: "alias", mode: "private", port: 81, containerPort: 8080 },
  ].map(defaultPort);
  const targets = buildService(echoApp(), ports).spec.ports?.map(({ name, targetPort }) => [name, targetPort]);
  expect(targets).toEqual([
    ["http", "http"],
    ["alias", "http"],
  ]);
});
