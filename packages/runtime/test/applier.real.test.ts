// The applier on a real API server, with the controllers of a real control plane beside it.
import { RealClock } from "@chaski/clock";
import { ConfigMap, type Kind, keyOf } from "@chaski/kube";
import { apply, LOCAL_CLUSTER } from "@chaski/runtime";
import { CuttableProxy, sharedControlPlane, until } from "@chaski/test/kube";
import { describe, expect, test } from "vitest";
import { commitCases } from "./apply/commit-cases.ts";
import { outcomes } from "./apply/outcomes.ts";
import { metadataCases } from "./apply/metadata-cases.ts";
import { ownershipCases } from "./apply/ownership-cases.ts";
import { clientOf, realPlace } from "./apply/place.ts";
import { resilienceCases } from "./apply/resilience-cases.ts";
import { CONTROLLER, connectCluster } from "./apply/stage.ts";
import { useStage } from "./apply/use-stage.ts";
import { writingCases } from "./apply/writing-cases.ts";

describe("writing", () => writingCases(() => realPlace("workloads")));
describe("ownership", () => ownershipCases(() => realPlace("bare")));
describe("commit", () => commitCases(() => realPlace("bare")));
describe("metadata", () => metadataCases(() => realPlace("bare")));
describe("resilience", () => resilienceCases(() => realPlace("bare")));

describe("lanes", () => {
  const kinds = [ConfigMap] as unknown as readonly Kind[];
  const used = useStage(() => realPlace("bare"), kinds);

  test("a black-holed cluster does not delay another one's", async () => {
    const { stage } = used;
    const chart = (name: string, data: Record<string, string>): ReturnType<typeof apply> => {
      const metadata = { namespace: stage.namespace, name };
      const object: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata, data };
      return apply({ kind: ConfigMap, ...metadata }, object);
    };
    const plane = await sharedControlPlane("bare");
    await using proxy = await CuttableProxy.start(plane.server);
    const client = await clientOf(plane.admin.through(proxy.url).kubeconfig);
    const far = await connectCluster("far", { client, witness: client }, kinds);
    stage.restart({ cluster: (name) => (name === "far" ? far : stage.cluster) });
    proxy.blackHole();
    const clock = new RealClock();
    const startMs = clock.monotonic();
    const desired = [
      { cluster: "far", entries: [chart("far", {})] },
      { cluster: LOCAL_CLUSTER, entries: [chart("near", {})] },
    ];
    await stage.commit({ desired });
    const near = await until(
      () => stage.applier.results(CONTROLLER, keyOf(stage.owner)).find(({ cluster }) => cluster === LOCAL_CLUSTER),
      { what: "the near lane has finished", everyMs: 5 },
    );
    expect(outcomes(near.entries)).toEqual(["ConfigMap written"]);
    expect(clock.monotonic() - startMs).toBeLessThan(2_000);
    // Nor does it delay the next decision.
    expect(outcomes(await stage.pass([chart("near", { depth: "4" })]))).toEqual(["ConfigMap written"]);
    await proxy.resume();
    await far.stop();
  });
});
