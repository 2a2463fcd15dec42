import { systemRandom } from "@chaski/clock";
import type { Transport } from "@chaski/kube";
import type { Runtime } from "@chaski/runtime";
import { type AuditEvent, until } from "@chaski/test/kube";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { FleetStage } from "./stage/fleet-stage.ts";
import { DRAIN_MS, newOperator, wrappedSource } from "./stage/operator.ts";
import { type RealScene, realFaults } from "./stage/real-faults.ts";
import { realHands } from "./stage/real-hands.ts";
import { deliveryLink, type RealFleet, realFleet, type RealTarget } from "./stage/real-fleet.ts";
import { FleetRecorder } from "./stage/recorder.ts";
import { isUpkeep, type Scene } from "./stage/scene.ts";
import { fleetSuite } from "./stage/suite.ts";
import { targetOf } from "./stage/target-of.ts";

describe("on real API servers with controller managers and KWOK", () => {
  let fleet: RealFleet;
  let scene: Scene | undefined;

  beforeAll(async () => {
    fleet = await realFleet();
  }, 300_000);

  afterEach(async () => {
    await scene?.stage.leave();
    await scene?.stopOperators();
    await scene?.recorder.stop();
    scene = undefined;
  });

  afterAll(() => fleet?.stop());

  /** A fleet of its own, without an operator yet. */
  async function open(app: string): Promise<RealScene> {
    const time = { clock: fleet.clock, random: systemRandom };
    const recorder = new FleetRecorder(fleet.targets, time);
    await recorder.ready();
    const namespace = await fleet.plane.createNamespace();
    const operators: Runtime[] = [];
    const opened: RealScene = {
      fleet,
      stage: new FleetStage(fleet.platform, { app, namespace }),
      recorder,
      drainMs: DRAIN_MS,
      startOperator: async (options = {}) => {
        const { wrap = (transport: Transport) => transport, ...rest } = options;
        const { transport, ...link } = deliveryLink(fleet.connection);
        const source = wrappedSource(wrap);
        const operator = newOperator({ transport: wrap(transport), ...link }, { ...time, source, ...rest });
        operators.push(operator);
        await operator.start();
      },
      stopOperators: async () => {
        await Promise.all(operators.splice(0).map((operator) => operator.stop()));
      },
      requestsDuring: async (act) => {
        const since = new Date(fleet.clock.now()).toISOString();
        await act();
        return (await requestsSince(since)).map(({ verb, objectRef: { resource, subresource, name } = {} }) => {
          return `${verb} ${[resource, subresource ?? []].flat().join("/")} ${name}`;
        });
      },
    };
    scene = opened;
    return opened;
  }

  async function begin(app = "echo"): Promise<Scene> {
    const opened = await open(app);
    await opened.startOperator();
    return opened;
  }

  /** Of operators, on every cluster; a sign of life per cluster is left out, whatever the number of releases. */
  async function requestsSince(since: string): Promise<readonly AuditEvent[]> {
    const planes = [fleet.plane, ...fleet.targets.map(({ plane }) => plane)];
    const events = (await Promise.all(planes.map((plane) => plane.auditEvents()))).flat();
    return events.filter(
      ({ userAgent = "", requestReceivedTimestamp, verb, requestURI }) =>
        userAgent.startsWith("chaski") && requestReceivedTimestamp > since && !isUpkeep(verb, requestURI),
    );
  }

  function west(): RealTarget {
    return targetOf(fleet, "west");
  }

  fleetSuite(begin);
  realFaults(open);
  realHands(open);

  test("what was deleted is what we had written: the audit logs say so", async () => {
    for (const { plane } of fleet.targets) {
      const events = (await plane.auditEvents()).filter(({ userAgent = "" }) => userAgent.startsWith("chaski"));
      const named = (verb: string): readonly string[] =>
        events
          .filter((event) => event.verb === verb)
          .map(({ objectRef = {} }) => `${objectRef.resource} ${objectRef.namespace} ${objectRef.name}`);
      const written = new Set(named("patch"));
      expect(named("delete").length).toBeGreaterThan(0);
      expect(named("delete").filter((name) => !written.has(name))).toEqual([]);
      expect(named("deletecollection")).toEqual([]);
    }
  });

  test("a policy on one cluster refuses VirtualServices: the ramp holds, nothing retires there, and it is told what and where", async () => {
    const { stage } = await begin("guarded");
    await stage.joinAll();
    await stage.released("v1");
    await refuseRoutes(west(), stage.place);
    await stage.release("v2");
    await stage.until("it is told", async () => {
      return /Applied \S+\/west .*VirtualService.*no routes today/.test((await stage.closedGates()).join("\n"));
    });
    await stage.pass(DRAIN_MS + 5_000);
    expect(await stage.weightsOn(west())).toBe("v1 100");
    expect(await stage.replicasOn(west())).toBe("v1 2, v2 2");
    expect((await stage.entry("v2"))?.currentPercent).toBe(10);
    await stage.untilEvent(/ApplyFailed: VirtualService .*no routes today/);
    await west().plane.kubectl(["delete", "validatingadmissionpolicybinding,validatingadmissionpolicy", "guard"]);
    await stage.untilReleased("v2");
    expect(await stage.weights()).toBe("v2 100");
  }, 240_000);

  test("an API server that restarts in the middle of a ramp delays it, and nothing else", async () => {
    const { stage, recorder, drainMs } = await begin("restarted");
    await stage.joinAll();
    await stage.released("v1");
    await stage.release("v2");
    await stage.until("v2 ramps", async () => ((await stage.entry("v2"))?.currentPercent ?? 0) >= 20);
    await west().plane.restart("kube-apiserver");
    await stage.untilReleased("v2");
    await stage.until("it is everywhere", async () => (await stage.weights()) === "v2 100");
    expect(recorder.broken(stage.place, drainMs)).toEqual([]);
  }, 240_000);

  test("D-75: a release at rest costs no request apart from watches and signs of life", async () => {
    const { stage } = await begin("resting");
    await stage.joinAll();
    await stage.released("v1");
    await stage.pass(20_000);
    const since = new Date(fleet.clock.now()).toISOString();
    await stage.pass(60_000);
    expect((await requestsSince(since)).map(({ verb, requestURI }) => `${verb} ${requestURI}`)).toEqual([]);
  }, 240_000);
});

async function refuseRoutes({ plane }: RealTarget, namespace: string): Promise<void> {
  const policy = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "guard" },
    spec: {
      failurePolicy: "Fail",
      matchConstraints: {
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
        resourceRules: [
          {
            apiGroups: ["networking.istio.io"],
            apiVersions: ["*"],
            operations: ["CREATE", "UPDATE"],
            resources: ["virtualservices"],
          },
        ],
      },
      validations: [{ expression: "false", message: "no routes today" }],
    },
  };
  const binding = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "guard" },
    spec: { policyName: "guard", validationActions: ["Deny"] },
  };
  for (const object of [policy, binding]) await plane.kubectl(["apply", "-f", "-"], { input: JSON.stringify(object) });
  // Policies take effect some moments after they were written.
  const probe = {
    apiVersion: "networking.istio.io/v1alpha3",
    kind: "VirtualService",
    metadata: { name: "probe", namespace },
    spec: { hosts: ["probe"], http: [{ route: [{ destination: { host: "probe" } }] }] },
  };
  const isRefused = async (): Promise<boolean> => {
    const args = ["create", "--dry-run=server", "-f", "-"];
    return await plane.kubectl(args, { input: JSON.stringify(probe) }).then(
      () => false,
      (error: unknown) => String(error).includes("no routes today"),
    );
  };
  await until(async () => (await isRefused()) || undefined, { what: "routes are refused", withinMs: 30_000 });
}
