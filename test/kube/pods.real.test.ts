import { beforeAll, describe, expect, test } from "vitest";
import { type ClusterAccess, type ControlPlane, PodLifecycle, sharedControlPlane, until } from "./index.ts";
import { useControlPlane } from "./use-control-plane.ts";

interface Deployment {
  readonly status: { readonly readyReplicas?: number; readonly observedGeneration?: number };
}

async function deploy(cluster: ClusterAccess, namespace: string, replicas: number): Promise<void> {
  const labels = { app: "web" };
  const containers = [{ name: "web", image: "example.test/web:1" }];
  await cluster.call({
    method: "POST",
    path: `/apis/apps/v1/namespaces/${namespace}/deployments`,
    body: {
      metadata: { name: "web" },
      spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
    },
  });
}

async function readyReplicas(cluster: ClusterAccess, namespace: string): Promise<number> {
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments/web`;
  return (await cluster.call<Deployment>({ path })).status.readyReplicas ?? 0;
}

describe("with KWOK, the scheduler and the controller manager", () => {
  test("a Deployment becomes ready by itself, and its pods go when it is deleted", async () => {
    const cluster = await sharedControlPlane("workloads");
    const namespace = await cluster.createNamespace();
    await deploy(cluster, namespace, 20);
    await until(async () => (await readyReplicas(cluster, namespace)) === 20 || undefined, { what: "20 ready" });
    await cluster.kubectl(["delete", "deployment", "web", "-n", namespace]);
    const pods = new PodLifecycle(cluster, namespace);
    await until(async () => (await pods.names()).length === 0 || undefined, { what: "the pods are gone" });
  });

  test("a shared control plane is the same for all who ask", async () => {
    const [one, other] = await Promise.all([sharedControlPlane("workloads"), sharedControlPlane("workloads")]);
    expect(other.coordinates).toEqual(one.coordinates);
  });
});

describe("with pods moved by calls", () => {
  const running = useControlPlane({ name: "lifecycle", controllerManager: true });
  let plane: ControlPlane;
  let namespace: string;
  let pods: PodLifecycle;

  beforeAll(async () => {
    plane = running.current;
    namespace = await plane.createNamespace();
    pods = new PodLifecycle(plane, namespace);
    await deploy(plane, namespace, 3);
    await until(async () => (await pods.names()).length === 3 || undefined, { what: "three pods" });
  });

  async function hasReady(count: number): Promise<void> {
    await until(async () => (await readyReplicas(plane, namespace)) === count || undefined, { what: `${count} ready` });
  }

  test("a pod that is held back stays pending while the others become ready", async () => {
    const [held] = await pods.names();
    await pods.settle((name) => name === held);
    await hasReady(2);
    await pods.settle();
    await hasReady(3);
  });

  test.each([
    { what: "becomes unready", act: (name: string) => pods.makeUnready(name) },
    { what: "can't pull its image", act: (name: string) => pods.makeStuck(name, "ImagePullBackOff") },
  ])("a pod that $what counts no more, until it is made ready again", async ({ act }) => {
    await hasReady(3);
    const [name = ""] = await pods.names();
    await act(name);
    await hasReady(2);
    await pods.makeReady(name);
    await hasReady(3);
  });

  test("a deleted pod goes when the lifecycle says so", async () => {
    const [name = ""] = await pods.names();
    await plane.kubectl(["delete", "pod", name, "-n", namespace, "--wait=false"]);
    expect(await pods.names()).toContain(name);
    await pods.settle();
    expect(await pods.names()).not.toContain(name);
  });

  test("a pod that failed is replaced by another", async () => {
    const before = await pods.names();
    await pods.finish(before[0] ?? "", 1);
    await until(async () => (await pods.names((name) => !before.includes(name))).length === 1 || undefined, {
      what: "a pod in its place",
    });
  });
});
