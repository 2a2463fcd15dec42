import { beforeAll, describe, expect, test } from "vitest";
import { ApiError, type ControlPlane } from "./index.ts";
import { useControlPlane } from "./use-control-plane.ts";

const running = useControlPlane({ name: "testbed", audit: "Metadata" });
let plane: ControlPlane;
beforeAll(() => void (plane = running.current));

describe("users", () => {
  test("the admin may do everything", async () => {
    expect(await plane.kubectl(["auth", "can-i", "*", "*"])).toContain("yes");
  });

  test("a user by client certificate has its name and groups, and may do what was allowed, where it was", async () => {
    const [here, there] = [await plane.createNamespace(), await plane.createNamespace()];
    const alice = await plane.addUser("alice", ["dev", "ops"]);
    expect(await plane.kubectl(["auth", "whoami"], { as: alice })).toMatch(
      /alice[\s\S]*\[dev ops system:authenticated\]/,
    );
    await expect(plane.kubectl(["get", "cm", "-n", here], { as: alice })).rejects.toThrow("Forbidden");
    await plane.allow(alice, [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list"] }], here);
    await plane.kubectl(["get", "cm", "-n", here], { as: alice });
    await expect(plane.kubectl(["get", "cm", "-n", there], { as: alice })).rejects.toThrow("Forbidden");
  });

  test("a service account's token works, and one that has expired does not", async () => {
    const namespace = await plane.createNamespace();
    const bot = await plane.addServiceAccount(namespace, "bot");
    expect(await plane.kubectl(["auth", "whoami"], { as: bot })).toContain(`system:serviceaccount:${namespace}:bot`);
    const expired = await plane.addServiceAccount(namespace, "bot", -120);
    await expect(plane.kubectl(["auth", "whoami"], { as: expired })).rejects.toThrow(/Unauthorized|logged in/);
  });
});

describe("single parts", () => {
  test("the API server comes back on its port with its data after SIGKILL", async () => {
    const namespace = await plane.createNamespace();
    const before = plane.part("kube-apiserver").pid;
    await plane.kill("kube-apiserver");
    expect(await plane.isReady()).toBe(false);
    await plane.restart("kube-apiserver");
    expect(plane.part("kube-apiserver").pid).not.toBe(before);
    await plane.call({ path: `/api/v1/namespaces/${namespace}` });
  });

  test("a paused API server answers nothing until it is resumed", async () => {
    await plane.pause("kube-apiserver");
    try {
      expect(await plane.isReady()).toBe(false);
    } finally {
      plane.resume("kube-apiserver");
    }
    await plane.ready();
  });

  test("a watch from before the compaction is answered with 410 once the watch cache is gone", async () => {
    const old = await plane.call<{ metadata: { resourceVersion: string } }>({ path: "/api/v1/configmaps" });
    await plane.createNamespace();
    await plane.compact();
    await plane.restart("kube-apiserver");
    const path = `/api/v1/configmaps?watch=1&timeoutSeconds=2&resourceVersion=${old.metadata.resourceVersion}`;
    await expect(plane.call({ path })).resolves.toMatchObject({ type: "ERROR", object: { code: 410 } });
  });
});

test("requests are found in the audit log by user, verb, resource and code", async () => {
  const carol = await plane.addUser("carol");
  await plane.kubectl(["get", "secrets"], { as: carol }).catch(() => undefined);
  expect(await plane.auditEvents({ user: "carol", verbs: ["list"], resource: "secrets", code: 403 })).toHaveLength(1);
  expect(await plane.auditEvents({ user: "carol", resource: "secrets", code: 200 })).toEqual([]);
});

test("answered requests are counted by verb, resource and code", async () => {
  for (const name of ["a", "b"]) {
    await plane.call({ path: `/api/v1/namespaces/default/podtemplates/${name}` }).catch(() => undefined);
  }
  expect(await plane.requestCounts()).toContainEqual(
    expect.objectContaining({ verb: "GET", resource: "podtemplates", code: 404, count: 2 }),
  );
});

test("an answer that is an error is thrown with its status", async () => {
  await expect(plane.call({ path: "/api/v1/namespaces/nobody" })).rejects.toSatisfy(
    (error) => error instanceof ApiError && error.status === 404,
  );
});
