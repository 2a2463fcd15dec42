import { afterAll, beforeAll, expect, test } from "vitest";
import { type ControlPlane, startControlPlane } from "./index.ts";

let planes: ControlPlane[];
beforeAll(async () => {
  planes = await Promise.all(["a", "b", "c", "d"].map((name) => startControlPlane({ name: `fleet-${name}` })));
});
afterAll(async () => {
  await Promise.all(planes.map((plane) => plane.stop()));
});

test("four control planes run side by side, each with its own data", async () => {
  const names = await Promise.all(planes.map((plane) => plane.createNamespace()));
  const seen = await Promise.all(
    planes.map(async (plane) => {
      const list = await plane.call<{ items: { metadata: { name: string } }[] }>({ path: "/api/v1/namespaces" });
      return list.items.map(({ metadata }) => metadata.name).filter((name) => names.includes(name));
    }),
  );
  expect(seen).toEqual(names.map((name) => [name]));
});

test("a user of one is nobody on another", async () => {
  const [here, there] = planes;
  const stranger = here?.admin.through(there?.server ?? "");
  await expect(there?.kubectl(["get", "namespaces"], stranger ? { as: stranger } : {})).rejects.toThrow(/certificate/);
});
