// Some of the causes on real API servers, with the words of a real scheduler, policy and namespace controller.
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemRandom } from "@chaski/clock";
import type { Runtime } from "@chaski/runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FleetStage } from "../../releases/test/stage/fleet-stage.ts";
import { newOperator } from "../../releases/test/stage/operator.ts";
import { deliveryLink, type RealFleet, realFleet, type RealTarget } from "../../releases/test/stage/real-fleet.ts";
import { runCommand } from "./stage.ts";

let fleet: RealFleet;
let stage: FleetStage;
let operator: Runtime;
let kubeconfig: string;

beforeAll(async () => {
  fleet = await realFleet(["west"]);
  stage = new FleetStage(fleet.platform, { app: "echo", namespace: await fleet.plane.createNamespace() });
  kubeconfig = join(tmpdir(), `chaski-why-${stage.namespace}`);
  await writeFile(kubeconfig, fleet.plane.admin.kubeconfig);
  operator = newOperator(deliveryLink(fleet.connection), { clock: fleet.clock, random: systemRandom });
  await operator.start();
  await stage.join(west());
  await stage.release("v1", { scale: { min: 2, default: 2, max: 2 } });
  await stage.untilReleased("v1");
}, 300_000);

afterAll(async () => {
  await operator?.stop();
  await fleet?.stop();
  await rm(kubeconfig, { force: true });
});

function west(): RealTarget {
  const [target] = fleet.targets;
  if (!target) throw new Error("there is no west");
  return target;
}

function chaski(...args: readonly string[]): Promise<readonly [number, string]> {
  return runCommand([...args, "-n", stage.namespace, "--kubeconfig", kubeconfig]);
}

/** Waits until the first sentence is this; the last one is told when it does not come. */
async function untilWhy(says: RegExp): Promise<void> {
  let told = "";
  const isTold = async (): Promise<boolean> => {
    const [, text] = await chaski("why", "echo");
    told = (text.split("\n\n")[0] ?? "").replaceAll("\n", " ");
    return says.test(told);
  };
  await stage.until(String(says), isTold).catch(() => undefined);
  expect(told).toMatch(says);
}

const RELEASE = { eligible: true, schedule: "always", scalingStrategy: "linear" };
const SLOW = {
  scale: { min: 2, default: 2, max: 2 },
  release: { ...RELEASE, linearScaling: { increment: 20, delay: "600s" } },
};

describe("why, on real API servers", { timeout: 180_000 }, () => {
  test("a ramp that a person has paused", async () => {
    await stage.release("v2", SLOW);
    await stage.untilState("v2", "releasing");
    expect((await chaski("pause", "echo", "--reason", "lunch"))[0]).toBe(0);
    await untilWhy(/^echo\/production waits: the release is paused: lunch \(by \S+\)$/);
    expect((await chaski("resume", "echo"))[0]).toBe(0);
    await untilWhy(/^echo\/production waits: v2 waits before its next step, in \d+ (s|min) /);
  });

  test("pods that no node has room for", async () => {
    await stage.release("v3", { ...SLOW, resources: { requests: { cpu: "100000" } } });
    await untilWhy(
      /^echo\/production waits: 2 of 2 pods of v3 on cluster west have no node to run on: 0\/\d+ nodes are available: .*Insufficient cpu/,
    );
    await stage.delete("v3");
  });

  test("an object that a policy refuses", async () => {
    const { plane } = west();
    for (const object of policyOn("replicasets")) await plane.kubectl(["apply", "-f", "-"], { input: object });
    // Policies take effect some moments after they were written.
    const isRefused = async (): Promise<boolean> =>
      plane
        .kubectl(["-n", stage.place, "annotate", "--overwrite", "replicaset/v1", "probe=1", "--dry-run=server"])
        .then(() => false)
        .catch((error: unknown) => String(error).includes("no team label"));
    await stage.until("it is refused", isRefused);
    await stage.release("v4", SLOW);
    await untilWhy(
      /^echo\/production waits: ReplicaSet echo-production\/v4 could not be written on cluster west: .*no team label/,
    );
    await plane.kubectl(["delete", "validatingadmissionpolicybinding,validatingadmissionpolicy", "guard"]);
  });

  test("a namespace that is on its way out", async () => {
    const { plane } = west();
    const clinging = { name: "clinging", namespace: stage.place, finalizers: ["example.invalid/cling"] };
    const input = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: clinging });
    await plane.kubectl(["create", "-f", "-"], { input });
    await plane.kubectl(["delete", "namespace", stage.place, "--wait=false"]);
    await untilWhy(/^echo\/production waits: Namespace echo-production is being deleted on cluster west$/);
    const patch = '{"metadata":{"finalizers":null}}';
    await plane.kubectl(["-n", stage.place, "patch", "configmap", "clinging", "--type=merge", "-p", patch]);
  });
});

function policyOn(resource: string): readonly string[] {
  const head = { apiVersion: "admissionregistration.k8s.io/v1", metadata: { name: "guard" } };
  const rule = { apiGroups: ["apps"], apiVersions: ["*"], operations: ["CREATE", "UPDATE"], resources: [resource] };
  const validations = [{ expression: "false", message: "no team label" }];
  return [
    {
      ...head,
      kind: "ValidatingAdmissionPolicy",
      spec: { failurePolicy: "Fail", matchConstraints: { resourceRules: [rule] }, validations },
    },
    {
      ...head,
      kind: "ValidatingAdmissionPolicyBinding",
      spec: { policyName: "guard", validationActions: ["Deny"] },
    },
  ].map((object) => JSON.stringify(object));
}
