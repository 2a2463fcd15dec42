// The command line as a person uses it: against a cluster over HTTPS, judged by what it prints and its exit code.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Canary, canaryResource, crdOf } from "@chaski/api";
import { RealClock, systemRandom } from "@chaski/clock";
import { createEmbeddedCluster, type EmbeddedCluster } from "@chaski/embedded";
import { CustomResourceDefinition } from "@chaski/kube";
import { type Client, createClient } from "@chaski/runtime";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { run } from "../src/index.ts";

const key = { namespace: "default", name: "shop" };
let cluster: EmbeddedCluster;
let client: Client;
let folder: string;
let printed: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chaski-cli-"));
  cluster = await createEmbeddedCluster();
  client = createClient({
    cluster: "test",
    transport: cluster.transport,
    clock: new RealClock(),
    random: systemRandom,
  });
  await client.of(CustomResourceDefinition).create(crdOf(canaryResource) as unknown as CustomResourceDefinition);
  await writeFile(join(folder, "kubeconfig"), (await cluster.listen()).kubeconfig);
});

afterAll(async () => {
  await cluster.close();
  await rm(folder, { recursive: true });
});

beforeEach(() => {
  printed = [];
  const keep = (text: unknown): boolean => printed.push(String(text).trimEnd()) > 0;
  vi.spyOn(console, "log").mockImplementation(keep);
  vi.spyOn(console, "error").mockImplementation(keep);
  vi.spyOn(process.stderr, "write").mockImplementation(keep);
});
afterEach(() => vi.restoreAllMocks());

/** Exit code and output. */
async function chaski(...args: readonly string[]): Promise<[number, string]> {
  const code = await run(args);
  return [code, printed.join("\n")];
}

function onCluster(...args: readonly string[]): Promise<[number, string]> {
  return chaski(...args, "--kubeconfig", join(folder, "kubeconfig"));
}

async function canaryInBatch(batch: number, form: "typed" | "info" = "typed"): Promise<void> {
  await client
    .of(Canary)
    .delete(key)
    .catch(() => undefined);
  const fields = { type: "CanaryDeploy", image: "shop:2", oldDeploymentName: "a", newDeploymentName: "b" } as const;
  const spec =
    form === "typed"
      ? { ...fields, replicas: 4, totalBatches: 3, currentBatch: batch }
      : { info: { ...fields, replicas: "4", totalBatches: "3", currentBatch: String(batch) } };
  const created = await client
    .of(Canary)
    .create({ apiVersion: "canarycontroller.chaski.dev/v1alpha1", kind: "Canary", metadata: key, spec });
  const message = `batch ${batch} of 3 is finished and waits for approval`;
  const unblock = "chaski canary approve shop, or set currentBatch to 2";
  const gates = [
    { name: "Spec", verdict: "passed" as const, message: "the spec is valid" },
    { name: "Approval", verdict: "waiting" as const, message, value: "1", threshold: "2", unblock },
  ];
  const status = {
    currentBatch: batch,
    batch: `${batch}/3`,
    revision: "r1",
    type: "CanaryDeploy",
    image: "shop:2",
    gates,
  };
  await client.of(Canary).updateStatus({ ...created, status: { ...status, availableReplicas: 4, paused: true } });
}

const currentBatch = async (): Promise<unknown> => {
  const { spec, metadata } = await client.of(Canary).get(key);
  return [
    spec.currentBatch ?? spec.info?.["currentBatch"],
    metadata.annotations?.["canarycontroller.chaski.dev/approves"],
  ];
};

describe("chaski canary", () => {
  test("status says where the release stands and what to do", async () => {
    await canaryInBatch(1);
    expect(await onCluster("canary", "status", "shop")).toEqual([
      0,
      [
        "shop: CanaryDeploy of shop:2",
        "batch 1/3, 4 pods available",
        "batch 1 of 3 is finished and waits for approval",
        "→ chaski canary approve shop, or set currentBatch to 2",
      ].join("\n"),
    ]);
  });

  test("approve raises currentBatch for the revision that was looked at, in the form that the user chose", async () => {
    await canaryInBatch(1);
    await onCluster("canary", "approve", "shop");
    expect(await currentBatch()).toEqual([2, "r1"]);
    await canaryInBatch(1, "info");
    await onCluster("canary", "approve", "shop", "--to", "3");
    expect(await currentBatch()).toEqual(["3", "r1"]);
  });

  test("retreat goes back one batch; from the first there is none, and it says what there is instead", async () => {
    await canaryInBatch(2);
    await onCluster("canary", "retreat", "shop");
    expect(await currentBatch()).toEqual([1, "r1"]);
    await canaryInBatch(1);
    printed = [];
    const [code, output] = await onCluster("canary", "retreat", "shop");
    expect([code, output]).toEqual([1, expect.stringContaining("`chaski canary rollback shop` undoes the release")]);
  });

  test("rollback sets the type", async () => {
    await canaryInBatch(2);
    expect((await onCluster("canary", "rollback", "shop"))[0]).toBe(0);
    expect((await client.of(Canary).get(key)).spec.type).toBe("CanaryRollback");
  });

  test("-o json prints the object", async () => {
    await canaryInBatch(1);
    const [, output] = await onCluster("canary", "status", "shop", "-o", "json");
    expect(JSON.parse(output)).toMatchObject({ kind: "Canary", status: { batch: "1/3" } });
  });

  test("an unknown name tells what was meant, and ends with 3", async () => {
    await canaryInBatch(1);
    expect(await onCluster("canary", "status", "shpo")).toEqual([
      3,
      "chaski: there is no Canary shpo in namespace default; did you mean shop?",
    ]);
  });
});

describe("chaski why", () => {
  test("names what it waits for first, then every gate", async () => {
    await canaryInBatch(1);
    const [code, output] = await onCluster("why", "canary/shop");
    expect(code).toBe(0);
    expect(output.split("\n")).toEqual([
      "shop waits: batch 1 of 3 is finished and waits for approval",
      "",
      "  ✓ Spec: the spec is valid",
      "  … Approval: batch 1 of 3 is finished and waits for approval",
      "    → chaski canary approve shop, or set currentBatch to 2",
    ]);
  });
});

describe("chaski lint", () => {
  async function lint(text: string): Promise<[number, string]> {
    const file = join(folder, "shop.yaml");
    await writeFile(file, text);
    const [code, output] = await chaski("lint", "-f", file);
    return [code, output.replaceAll(file, "shop.yaml")];
  }
  const head = "apiVersion: canarycontroller.chaski.dev/v1alpha1\nkind: Canary\nmetadata: { name: shop }\n";

  test("a good file is silent", async () => {
    expect(await lint(`${head}spec: { type: NormalDeploy, image: x }\n`)).toEqual([0, ""]);
  });

  test("every problem has its line and column", async () => {
    const text = `${head}spec:\n  type: CanaryDeploy\n  oldDeploymentName: shop\n  image: x\n  replicas: 3\n  totalBatches: 2\n  currentBatch: 20\n`;
    expect(await lint(text)).toEqual([
      1,
      [
        "shop.yaml:10:17: spec.currentBatch: is 20, but there are 2 batches: approve at most batch 2",
        "shop.yaml:5:3: spec.newDeploymentName: is the same as oldDeploymentName (shop): a CanaryDeploy needs two Deployments; NormalDeploy updates one in place",
      ].join("\n"),
    ]);
  });

  test("broken YAML is told where it breaks", async () => {
    const [code, output] = await lint(`${head}spec: { type: [\n`);
    expect([code, output]).toEqual([1, expect.stringMatching(/^shop\.yaml:\d+:\d+: /)]);
  });

  test("a file that is not there is wrong usage", async () => {
    expect(await chaski("lint", "-f", "/nowhere.yaml")).toEqual([
      2,
      "chaski: /nowhere.yaml can't be read (ENOENT); name a file that exists",
    ]);
  });
});

describe("wrong usage", () => {
  test.each([
    [["operator", "--wings", "feathers"], 2, "there is no wing feathers; there are releases, canaries"],
    [["operator", "--concurrent-canaries", "0"], 2, "it must be a whole number from 1 to 9999"],
    [["canary", "approve", "shop", "--to", "x"], 2, "it must be the number of a batch"],
    [["canari"], 2, "Did you mean canary?"],
    [["canary", "status", "shop", "--kubeconfig", "/nowhere"], 5, "/nowhere"],
  ])("%j ends with %i and says: %s", async (args, code, text) => {
    expect(await chaski(...args)).toEqual([code, expect.stringContaining(text)]);
  });

  test("a cluster without the CRDs says how to install them", async () => {
    const empty = await createEmbeddedCluster();
    const file = join(folder, "empty");
    await writeFile(file, (await empty.listen()).kubeconfig);
    const [code, output] = await chaski("canary", "status", "shop", "--kubeconfig", file);
    expect([code, output]).toEqual([3, expect.stringContaining("chaski install | kubectl apply --server-side -f -")]);
    await empty.close();
  });
});
