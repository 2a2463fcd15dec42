// `chaski why` on a fleet with the operator at work: whatever keeps a release back, it is named first.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { releaseKeys } from "@chaski/api";
import type { PodBehaviour } from "@chaski/embedded";
import { ConfigMap, Namespace, Pod } from "@chaski/kube";
import type { Evidence, Judge } from "@chaski/releases";
import { afterEach, expect, test, vi } from "vitest";
import type { EmbeddedTarget } from "../../releases/test/stage/embedded-fleet.ts";
import { EmbeddedScene } from "../../releases/test/stage/embedded-scene.ts";
import type { Gate } from "../src/views/release.ts";
import { runCommand } from "./stage.ts";

/** v1 serves on three clusters, v2 comes; what a test breaks, it breaks on the west. */
class Fleet {
  readonly scene: EmbeddedScene;
  readonly judge: ScriptedJudge;
  readonly behaviours: Record<string, PodBehaviour>;
  readonly #folder: string;

  constructor(parts: Pick<Fleet, "scene" | "judge" | "behaviours"> & { readonly folder: string }) {
    this.scene = parts.scene;
    this.judge = parts.judge;
    this.behaviours = parts.behaviours;
    this.#folder = parts.folder;
  }

  get stage(): EmbeddedScene["stage"] {
    return this.scene.stage;
  }

  get west(): EmbeddedTarget {
    const west = this.scene.fleet.targets.find(({ name }) => name === "west");
    if (!west) throw new Error("there is no west");
    return west;
  }

  /** So many of the tag's pods on the target run on, and are not ready any more. */
  async sicken({ client, cluster }: EmbeddedTarget, tag: string, count: number): Promise<void> {
    const labelSelector = `${releaseKeys.labels.tag}=${tag}`;
    const { items } = await client.of(Pod).list({ namespace: this.stage.place, labelSelector });
    for (const { metadata } of items.slice(0, count)) cluster.workloads.setReady(metadata, false);
  }

  async untilPercent(tag: string, percent: number): Promise<void> {
    await this.stage.until(
      `${tag} has ${percent} %`,
      async () => (await this.stage.entry(tag))?.currentPercent === percent,
    );
  }

  /** As typed at a desk, at this moment of the fleet. */
  async chaski(...args: readonly string[]): Promise<readonly [number, string]> {
    vi.useFakeTimers({ toFake: ["Date"], now: this.scene.fleet.clock.now() });
    try {
      return await runCommand([...args, "--kubeconfig", join(this.#folder, "kubeconfig")]);
    } finally {
      vi.useRealTimers();
    }
  }
}

class ScriptedJudge implements Judge {
  readonly name = "prometheus";
  answer: Pick<Evidence, "verdict" | "cause" | "alerts"> = { verdict: "pass" };

  evidenceOf(): Evidence {
    return { judge: this.name, ...this.answer };
  }

  subscribe(): Disposable {
    return { [Symbol.dispose]: () => {} };
  }

  stop(): void {}
}

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

async function openFleet(): Promise<Fleet> {
  const behaviours: Record<string, PodBehaviour> = {};
  const rules = (cluster: string, pod: Pod): PodBehaviour | undefined =>
    behaviours[`${cluster} ${pod.metadata.labels?.[releaseKeys.labels.tag]}`];
  const scene = await EmbeddedScene.open({ rules });
  const judge = new ScriptedJudge();
  await scene.startOperator({ judges: [judge], flags: { judges: [judge.name] } });
  const folder = await mkdtemp(join(tmpdir(), "chaski-why-"));
  await writeFile(join(folder, "kubeconfig"), (await scene.fleet.delivery.listen()).kubeconfig);
  opened.push(async () => {
    await scene.close();
    await rm(folder, { recursive: true });
  });
  const fleet = new Fleet({ scene, judge, behaviours, folder });
  for (const target of fleet.stage.targets) await fleet.stage.join(target);
  await fleet.stage.release("v1");
  await fleet.stage.untilReleased("v1");
  return fleet;
}

interface Case {
  readonly cause: string;
  readonly inject: (fleet: Fleet) => Promise<void>;
  /** The first sentence, after the release's name. */
  readonly says: string | RegExp;
  /** The first that is closed. */
  readonly gate: Partial<Gate>;
}

const SLOW = {
  eligible: true,
  schedule: "always",
  scalingStrategy: "linear",
  linearScaling: { increment: 20, delay: "30s" },
};

/** v2 has a fifth of the traffic, and takes another fifth every half a minute. */
async function ramp(fleet: Fleet): Promise<void> {
  await fleet.stage.release("v2", { release: SLOW });
  await fleet.untilPercent("v2", 20);
}

const CASES: readonly Case[] = [
  {
    cause: "capacity missing",
    inject: async (fleet) => {
      await ramp(fleet);
      for (const target of fleet.scene.fleet.targets) await fleet.sicken(target, "v2", 1);
      await fleet.stage.pass(60_000);
    },
    says: "waits: v2 has 3 of 6 ready pods for 60 %",
    gate: { name: "Capacity", verdict: "waiting", subject: "v2", value: "3", threshold: "6" },
  },
  {
    cause: "schedule closed",
    inject: async ({ stage }) => {
      await stage.release("v2", { release: { ...SLOW, schedule: "humane" } });
      await stage.untilState("v2", "pendingrelease");
    },
    says: /^waits: the schedule humane does not permit a release now, in 39 h \(Fri \d\d:00\)$/,
    gate: {
      name: "Schedule",
      value: "humane",
      earliest: "2026-01-02T15:00:00Z",
      unblock: "wait, or chaski promote echo/production v2",
    },
  },
  {
    cause: "delay",
    inject: async (fleet) => {
      await ramp(fleet);
      await fleet.stage.pass(10_000);
    },
    says: /^waits: v2 waits before its next step, in 20 s \(/,
    gate: { name: "Delay", value: "20 %", threshold: "40 %" },
  },
  {
    cause: "evidence unknown",
    inject: async (fleet) => {
      await ramp(fleet);
      fleet.judge.answer = { verdict: "unknown", cause: "it can't be reached (ECONNREFUSED)" };
      await fleet.stage.pass(60_000);
    },
    says: "waits: prometheus can't say whether it is good: it can't be reached (ECONNREFUSED)",
    gate: { name: "Evidence", verdict: "unknown", subject: "v2" },
  },
  {
    cause: "evidence fail",
    inject: async (fleet) => {
      await ramp(fleet);
      fleet.judge.answer = { verdict: "fail", alerts: ["burning"] };
      await fleet.stage.untilState("v2", "failed");
    },
    says: "rolled back: v2 was judged bad: burning",
    gate: { name: "Evidence", verdict: "failed", value: "burning", unblock: "release a mended revision" },
  },
  {
    cause: "cluster unreachable",
    inject: async (fleet) => {
      await ramp(fleet);
      fleet.west.line.cut();
      await fleet.stage.pass(70_000);
    },
    says: "waits: cluster west is unreachable: the connection failed (ECONNRESET)",
    gate: { name: "Observed", verdict: "unknown", cluster: "default/west" },
  },
  {
    cause: "test pending",
    inject: async ({ stage }) => {
      await stage.release("v2", { externalTest: { enabled: true, started: false, completed: false } });
      await stage.untilState("v2", "pendingtest");
    },
    says: "waits: the external test of v2 is pending",
    gate: { name: "Tested", value: "pending" },
  },
  {
    cause: "not eligible",
    inject: async ({ stage }) => {
      await stage.release("v2", { release: { ...SLOW, eligible: false, ttl: 86_400 } });
      await stage.untilState("v2", "deployed");
    },
    says: "waits: v2 is not eligible for a release",
    gate: { name: "Eligible", unblock: "set release.eligible to true" },
  },
  {
    cause: "webhook refused",
    inject: async ({ stage, west }) => {
      const refusal = 'admission webhook "guard.example.invalid" denied the request: no team label';
      west.line.refuse = ({ path }) => (path.includes("/replicasets/") ? refusal : undefined);
      await stage.release("v2");
      await stage.pass(20_000);
    },
    says: 'waits: ReplicaSet echo-production/v2 could not be written on cluster west: admission webhook "guard.example.invalid" denied the request: no team label (403 Forbidden)',
    gate: { name: "Applied", verdict: "failed", cluster: "default/west", value: "Forbidden" },
  },
  {
    cause: "paused",
    inject: async (fleet) => {
      await ramp(fleet);
      await fleet.chaski("pause", "echo", "--reason", "lunch");
      await fleet.stage.pass(5_000);
    },
    says: "waits: the release is paused: lunch (by admin)",
    gate: { name: "Paused", unblock: "chaski resume echo/production, or remove the annotation chaski.dev/paused" },
  },
  {
    cause: "paused before its first traffic",
    inject: async (fleet) => {
      await fleet.chaski("pause", "echo", "--reason", "lunch");
      await fleet.stage.release("v2");
      await fleet.stage.untilState("v2", "pendingrelease");
    },
    says: "waits: the release is paused: lunch (by admin)",
    gate: { name: "Paused" },
  },
  {
    cause: "image pull failing",
    inject: async ({ stage, behaviours }) => {
      behaviours["west v2"] = { isImageMissing: true };
      await stage.release("v2");
      await stage.pass(30_000);
    },
    says: "waits: 2 of 2 pods of v2 on cluster west can't pull image registry.invalid/echo:v2: not found",
    gate: {
      name: "PodsStart",
      verdict: "failed",
      subject: "v2",
      cluster: "default/west",
      value: "ImagePullBackOff",
      unblock: "push the image, or release a Revision with one that exists; it is tried again by itself",
    },
  },
  {
    cause: "a crash at every start",
    inject: async ({ stage, behaviours }) => {
      behaviours["west v2"] = { crashesAfterMs: 500 };
      await stage.release("v2");
      await stage.pass(60_000);
    },
    says: /^waits: 2 of 2 pods of v2 on cluster west crash in container echo: it ends with code 1, restarted \d times$/,
    gate: {
      name: "PodsStart",
      value: "CrashLoopBackOff",
      unblock: expect.stringContaining("kubectl -n echo-production logs v2-"),
    },
  },
  {
    cause: "namespace terminating",
    inject: async ({ stage, west: { client } }) => {
      const metadata = { namespace: stage.place, name: "clinging", finalizers: ["example.invalid/cling"] };
      await client.of(ConfigMap).create({ apiVersion: "v1", kind: "ConfigMap", metadata });
      await client.of(Namespace).delete({ name: stage.place });
      await stage.release("v2");
      await stage.pass(30_000);
    },
    says: "waits: Namespace echo-production is being deleted on cluster west",
    gate: { name: "Applied", verdict: "failed", cluster: "default/west", value: "Terminating" },
  },
];

test.each(CASES)("$cause", { timeout: 60_000 }, async ({ inject, says, gate }) => {
  const fleet = await openFleet();
  await inject(fleet);
  const [code, text] = await fleet.chaski("why", "echo");
  const [headline = ""] = text.split("\n\n");
  expect([code, headline.replaceAll("\n", " ").replace(/^echo\/production /, "")]).toEqual([
    0,
    typeof says === "string" ? says : expect.stringMatching(says),
  ]);
  const [, json] = await fleet.chaski("why", "echo/production", "-o", "json");
  const gates = JSON.parse(json) as readonly Gate[];
  expect(gates.find(({ verdict }) => verdict !== "passed")).toMatchObject(gate);
});
