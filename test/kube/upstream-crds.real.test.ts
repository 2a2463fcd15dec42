import { expect, test } from "vitest";
import { sharedControlPlane } from "./index.ts";

test("an upstream project's CRDs are served when installCrds returns", async () => {
  const cluster = await sharedControlPlane();
  await cluster.installCrds("istio", "sloth");
  const list = await cluster.call<{ items: unknown[] }>({
    path: "/apis/networking.istio.io/v1/namespaces/default/virtualservices",
  });
  expect(list.items).toEqual([]);
  await cluster.call({ path: "/apis/sloth.slok.dev/v1/prometheusservicelevels" });
});
