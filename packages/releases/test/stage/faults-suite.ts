// FaultInjectors, on whatever fleet the stage stands: what they do, and what they say about it.
import { FaultInjector, type HttpPortFault, releaseKeys } from "@chaski/api";
import { findCondition } from "@chaski/kube";
import { describe, expect, test } from "vitest";
import { faultedRoutesOf } from "../../src/controllers/live-route.ts";
import { VirtualService } from "../../src/objects/kinds.ts";
import { type Begin, AT_ONCE, LONG, onEach } from "./feature-scene.ts";
import type { FleetStage } from "./fleet-stage.ts";

const FAULT = {
  abort: { httpStatus: 418, percentage: { value: 5 } },
  delay: { fixedDelay: "3s", percentage: { value: 10 } },
};

export function faultsSuite(begin: Begin): void {
  describe("a FaultInjector", () => {
    test(
      "reaches every route, says where it is in effect and why not, and leaves with the object",
      LONG,
      async ({ onTestFinished }) => {
        const { stage } = await begin(onTestFinished);
        await inject(stage, "chaos", 80);
        await untilSays(stage, "chaos", /^False NoRelease: there is no release of \S+ in this namespace$/);
        await stage.joinAll();
        await stage.released("v1", { release: AT_ONCE });
        await untilSays(stage, "chaos", /^True InEffect: in effect: port 80 of \S+ on \S+\/east, .*\/north, .*\/west$/);
        const withFault = await onEach(stage, async (target) => await faultsOn(stage, target));
        expect(withFault.flat()).toEqual(withFault.flat().map(() => FAULT));
        expect(withFault.every((faults) => faults.length > 0)).toBe(true);

        await inject(stage, "drama", 80, { abort: { httpStatus: 503, percentage: { value: 1 } } });
        await untilSays(
          stage,
          "chaos",
          /^False Overridden: port 80 of \S+ has the later fault of FaultInjector drama$/,
        );
        await untilSays(stage, "drama", /^True InEffect/);
        await inject(stage, "nowhere", 81);
        await untilSays(stage, "nowhere", /^False NoSuchPort: no route on \S+\/east is for port 81 of /);
        await remove(stage, "drama");
        await untilSays(stage, "chaos", /^True InEffect/);
        await stage.released("v2", { release: AT_ONCE });
        await untilSays(stage, "chaos", /^True InEffect/);
        await stage.untilEvent(/^FaultInjector FaultsOverridden: /);

        await remove(stage, "chaos");
        await stage.until("the routes have no fault", async () => {
          const faults = await onEach(stage, (target) => faultsOn(stage, target));
          return faults.flat().every((fault) => fault === undefined);
        });
      },
    );
  });
}

async function inject(
  stage: FleetStage,
  name: string,
  number: number,
  fault: HttpPortFault["fault"] = FAULT,
): Promise<void> {
  const labels = { [releaseKeys.labels.app]: stage.app, [releaseKeys.labels.target]: "" };
  await stage.delivery.of(FaultInjector).create({
    apiVersion: "picchu.medium.engineering/v1alpha1",
    kind: "FaultInjector",
    metadata: { name, namespace: stage.namespace, labels },
    spec: { httpPortFaults: [{ portSelector: { number }, ...(fault && { fault }) }] },
  });
}

async function remove({ delivery, namespace }: FleetStage, name: string): Promise<void> {
  await delivery.of(FaultInjector).delete({ namespace, name });
}

async function untilSays(stage: FleetStage, name: string, says: RegExp): Promise<void> {
  await stage.until(`${name} says ${String(says)}`, async () => {
    const { status } = await stage.delivery.of(FaultInjector).get({ namespace: stage.namespace, name });
    const condition = findCondition(status?.conditions, "InEffect");
    return says.test(`${condition?.status} ${condition?.reason}: ${condition?.message}`);
  });
}

async function faultsOn({ place, app }: FleetStage, { client }: FleetStage["targets"][number]) {
  const route = await client.of(VirtualService).get({ namespace: place, name: app });
  return faultedRoutesOf(route).map(({ fault }) => fault);
}
