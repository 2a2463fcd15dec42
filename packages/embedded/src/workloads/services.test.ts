import type { EndpointSlice, Endpoints, Pod, Service } from "@chaski/kube";
import { expect, test } from "vitest";
import { type EmbeddedWorkloads, startWorkloads } from "../../test/embedded-workloads.ts";

const SLICES = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";

async function serve({ stage, clock }: EmbeddedWorkloads, spec: object = {}): Promise<Service> {
  const { status, body } = await stage.requests.post(stage.path("services"), {
    metadata: { name: "web", labels: { team: "shop" } },
    spec: { selector: { app: "web" }, ports: [{ name: "http", port: 80, targetPort: 8080 }], ...spec },
  });
  expect(status).toBe(201);
  await clock.settle();
  return body as Service;
}

async function endpoints({ stage }: EmbeddedWorkloads): Promise<Endpoints> {
  return (await stage.requests.get(stage.path("endpoints", "web"))).body as Endpoints;
}

async function slices({ stage }: EmbeddedWorkloads): Promise<EndpointSlice[]> {
  return ((await stage.requests.get(SLICES)).body as { items: EndpointSlice[] }).items;
}

test("a Service's endpoints are its pods, the ready ones and the others", async () => {
  const cluster = await startWorkloads();
  await cluster.stage.deploy({ replicas: 2 });
  await cluster.clock.settle();
  const [unready, ready] = (await cluster.stage.pods()) as [Pod, Pod];
  cluster.workloads.setReady(unready.metadata, false);
  await serve(cluster);
  const { subsets, metadata } = await endpoints(cluster);
  expect(metadata.labels).toMatchObject({ team: "shop", "endpoints.kubernetes.io/managed-by": "endpoint-controller" });
  expect(subsets).toEqual([
    {
      addresses: [
        {
          ip: ready.status?.podIP,
          nodeName: "node-1",
          targetRef: { kind: "Pod", namespace: "default", name: ready.metadata.name, uid: ready.metadata.uid },
        },
      ],
      notReadyAddresses: [expect.objectContaining({ ip: unready.status?.podIP })],
      ports: [{ name: "http", port: 8080, protocol: "TCP" }],
    },
  ]);
  const [slice] = await slices(cluster);
  expect(slice?.metadata.labels).toMatchObject({ "kubernetes.io/service-name": "web" });
  expect(slice?.endpoints.map(({ conditions }) => conditions?.ready).toSorted()).toEqual([false, true]);
});

test("they follow the pods", async () => {
  const cluster = await startWorkloads();
  await serve(cluster);
  expect((await endpoints(cluster)).subsets).toBeUndefined();
  await cluster.stage.deploy({ replicas: 3 });
  await cluster.clock.settle();
  expect((await endpoints(cluster)).subsets?.[0]?.addresses).toHaveLength(3);
  await cluster.stage.scale(1);
  await cluster.clock.settle();
  expect((await endpoints(cluster)).subsets?.[0]?.addresses).toHaveLength(1);
  expect((await slices(cluster))[0]?.endpoints).toHaveLength(1);
});

test("a port may go by the name that the containers give it", async () => {
  const cluster = await startWorkloads();
  const ports = [{ name: "web", containerPort: 3000 }];
  const labels = { app: "web" };
  const spec = { containers: [{ name: "web", image: "web:1", ports }] };
  await cluster.stage.requests.post(cluster.stage.path("pods"), { metadata: { name: "one", labels }, spec });
  await serve(cluster, { ports: [{ port: 80, targetPort: "web" }] });
  expect((await endpoints(cluster)).subsets?.[0]?.ports).toEqual([{ port: 3000, protocol: "TCP" }]);
});

test("they go with the Service", async () => {
  const cluster = await startWorkloads();
  await cluster.stage.deploy();
  await serve(cluster);
  await cluster.stage.requests.delete(cluster.stage.path("services", "web"));
  await cluster.clock.settle();
  expect((await endpoints(cluster)).kind).toBe("Status");
  expect(await slices(cluster)).toEqual([]);
});

test("a Service without a selector gets none", async () => {
  const cluster = await startWorkloads();
  await serve(cluster, { selector: null });
  expect((await endpoints(cluster)).kind).toBe("Status");
});
