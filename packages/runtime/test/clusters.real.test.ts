import { systemRandom } from "@chaski/clock";
import { ConfigMap } from "@chaski/kube";
import {
  type ClusterDefinition,
  ClusterRegistry,
  createCaches,
  definedBy,
  kubeconfigFromData,
  LOCAL_CLUSTER,
} from "@chaski/runtime";
import { type KubeUser, until } from "@chaski/test/kube";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clock, type RealSite, useRealSite } from "./real-site.ts";

const real = useRealSite();
let site: RealSite;
let registry: ClusterRegistry;
let admin: KubeUser;

beforeAll(async () => {
  site = real.current;
  admin = site.plane.admin;
  const client = await site.client();
  registry = new ClusterRegistry(
    {
      name: LOCAL_CLUSTER,
      client,
      caches: createCaches({ client, clock, random: systemRandom }),
      reachability: { state: "observed" },
    },
    {
      clock,
      random: systemRandom,
      createCaches: (client, report) => {
        const caches = createCaches({ client, clock, random: systemRandom, report });
        caches.declare(ConfigMap, { namespace: site.namespace });
        return caches;
      },
    },
  );
});

afterAll(() => registry.stop());

async function definition(name: string, user: KubeUser): Promise<ClusterDefinition> {
  return definedBy(name, await kubeconfigFromData(Buffer.from(user.kubeconfig), `Secret fleet/${name}`).connection());
}

const stateOf = (name: string): string | undefined => registry.get(name)?.reachability.state;
const becomes = (name: string, state: string): Promise<true> =>
  until(() => stateOf(name) === state || undefined, { what: `${name} is ${state}`, withinMs: 30_000 });

function sees(cluster: string, name: string): Promise<true> {
  const view = registry.get(cluster)?.caches.of(ConfigMap).inNamespace(site.namespace);
  return until(() => view?.get(name) !== undefined || undefined, {
    what: `${cluster} shows ${name}`,
    withinMs: 45_000,
  });
}

test("a black-holed cluster fails fast and turns stale; another does not notice; it returns by itself", async () => {
  const through = admin.through(site.proxy.url);
  registry.set([await definition("near", admin), await definition("far", through)]);
  await Promise.all([becomes("near", "observed"), becomes("far", "observed")]);
  site.proxy.blackHole();
  await becomes("far", "stale");
  const far = registry.get("far")?.client.of(ConfigMap);
  const call = () => far?.list({ namespace: site.namespace, deadlineMs: 4_000 });
  // On a machine that stalls, the probe that gives it up may still be under way: one call is let through then.
  await expect(call()).rejects.toThrow();
  const startedMs = clock.monotonic();
  await expect(call()).rejects.toMatchObject({ reason: "ClusterUnreachable" });
  expect(clock.monotonic() - startedMs).toBeLessThan(100);
  expect(stateOf("near")).toBe("observed");
  await registry.get("near")?.client.of(ConfigMap).create(site.configMap("meanwhile"));
  await sees("near", "meanwhile");
  await site.proxy.resume();
  site.proxy.cut();
  await becomes("far", "observed");
  await sees("far", "meanwhile");
});

test("rotated credentials: caches stay, and a wrong one is never switched to", async () => {
  const bot = await site.plane.addServiceAccount(site.namespace, "bot");
  await site.plane.allow(bot, [{ apiGroups: [""], resources: ["configmaps"], verbs: ["*"] }]);
  const expired = await site.plane.addServiceAccount(site.namespace, "bot", -120);
  registry.set([await definition("near", admin)]);
  await becomes("near", "observed");
  const before = registry.get("near");
  registry.set([await definition("near", expired)]);
  await before?.client.of(ConfigMap).create(site.configMap("by-admin-still"));
  registry.set([await definition("near", bot)]);
  await until(async () => (await managerOf("rotated")) === bot.name || undefined, { what: "the bot writes" });
  expect(registry.get("near")).toBe(before);
  await sees("near", "rotated");
});

/** Who the server thinks we are. */
async function managerOf(name: string): Promise<string | undefined> {
  const near = registry.get("near")?.client;
  await near?.of(ConfigMap).apply(site.configMap(name), { fieldManager: "test", force: true });
  const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  const body = JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" });
  const review = JSON.parse((await near?.raw({ method: "POST", path, body })) ?? "{}") as {
    status?: { userInfo?: { username?: string } };
  };
  return review.status?.userInfo?.username;
}
