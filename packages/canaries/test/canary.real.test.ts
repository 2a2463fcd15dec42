import { canaryResource, crdOf } from "@chaski/api";
import { RealClock, systemRandom } from "@chaski/clock";
import { CustomResourceDefinition } from "@chaski/kube";
import { loadKubeconfig, type Runtime, thisMachine, undiciTransport, connect } from "@chaski/runtime";
import { type ClusterAccess, sharedControlPlane, until } from "@chaski/test/kube";
import { afterAll, beforeAll, describe } from "vitest";
import { newOperator } from "./stage/operator.ts";
import { type Platform, Stage } from "./stage/stage.ts";
import { canarySuite } from "./stage/suite.ts";

describe("on a real API server with controller manager and KWOK", () => {
  const clock = new RealClock();
  let cluster: ClusterAccess;
  let runtime: Runtime;
  let platform: Platform;

  beforeAll(async () => {
    cluster = await sharedControlPlane("workloads");
    const connection = await (await loadKubeconfig(thisMachine(clock), cluster.admin.kubeconfigPath)).connection();
    const client = connect(connection, { clock, random: systemRandom });
    const definition = crdOf(canaryResource) as unknown as CustomResourceDefinition;
    await client.of(CustomResourceDefinition).apply(definition, { fieldManager: "test", force: true });
    platform = {
      client,
      until: (what, holds) =>
        until(async () => (await holds()) || undefined, { what, withinMs: 60_000 }).then(() => undefined),
      pass: (ms) => clock.sleep(ms),
    };
    const { endpoint, credentials } = connection;
    const delivery = { transport: undiciTransport(endpoint), ...(credentials && { credentials }) };
    runtime = newOperator(delivery, { clock, random: systemRandom });
    await runtime.start();
  });

  afterAll(async () => {
    await runtime?.stop();
    await platform?.client.close();
  });

  canarySuite(async () => new Stage(platform, await cluster.createNamespace()));
});
