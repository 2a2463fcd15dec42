// What goes wrong at a desk: each is one sentence that says what to do.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createEmbeddedCluster } from "@chaski/embedded";
import { RealClock, systemRandom } from "@chaski/clock";
import { Secret } from "@chaski/kube";
import { createClient } from "@chaski/runtime";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { run } from "../src/index.ts";
import { type CliStage, cliStage, runCommand } from "./stage.ts";
import { stories } from "./stories.ts";

let stage: CliStage;
beforeAll(async () => {
  stage = await cliStage({ rbac: true });
  await stage.write(stories.delay());
});
afterAll(() => stage[Symbol.asyncDispose]());

/** A kubeconfig for this cluster with another token, in a file. */
async function kubeconfigWith(token: string): Promise<string> {
  const file = join(stage.folder, `kubeconfig-${token}`);
  const { url, ca } = stage.listening;
  const config = {
    "current-context": "desk",
    clusters: [
      { name: "c", cluster: { server: url, "certificate-authority-data": Buffer.from(ca).toString("base64") } },
    ],
    users: [{ name: "u", user: { token } }],
    contexts: [{ name: "desk", context: { cluster: "c", user: "u" } }],
  };
  await writeFile(file, JSON.stringify(config));
  return file;
}

test("a wrong context", async () => {
  const [code, output] = await stage.chaski("list", "--context", "wset");
  expect([code, output]).toEqual([5, expect.stringMatching(/^chaski: .* has no context wset; it has \S+$/)]);
});

test("no rights", async () => {
  stage.cluster.addToken("nobody", { name: "nobody", groups: ["system:authenticated"] });
  const file = await kubeconfigWith("nobody");
  expect(await runCommand(["list", "--kubeconfig", file])).toEqual([
    4,
    `chaski: you may not list releasemanagers with context desk of ${file}: ask for that right, or choose another context by --context`,
  ]);
});

test("no rights to look: a doctor who saw nothing does not say that all is well", async () => {
  const [code, output] = await runCommand(["doctor", "--kubeconfig", await kubeconfigWith("nobody")]);
  expect([code, output]).toEqual([1, expect.stringMatching(/\? CRDs: could not be looked at[\s\S]*\d of \d checks/)]);
});

test("an expired token", async () => {
  const file = await kubeconfigWith("stale");
  expect(await runCommand(["why", "shop", "--kubeconfig", file])).toEqual([
    5,
    `chaski: the server refused the credentials of context desk of ${file} (expired?): log in again, or choose another context by --context`,
  ]);
});

test("a server that is not there", async () => {
  const file = join(stage.folder, "gone");
  await writeFile(file, stage.listening.kubeconfig.replace(stage.listening.url, "https://127.0.0.1:1"));
  const [code, output] = await runCommand(["list", "--kubeconfig", file]);
  expect([code, output]).toEqual([5, expect.stringMatching(/does not answer \(ECONNREFUSED\): check that it runs/)]);
});

test("a kubeconfig that is no YAML, with line and column", async () => {
  const file = join(stage.folder, "broken");
  await writeFile(file, "clusters:\n  - name: [\n");
  const [code, output] = await runCommand(["list", "--kubeconfig", file]);
  expect([code, output]).toEqual([5, expect.stringMatching(/^chaski: .*broken.*(line \d+|:\d+:\d+)/)]);
});

test("a cluster without the CRDs", async () => {
  const empty = await createEmbeddedCluster();
  const file = join(stage.folder, "empty");
  await writeFile(file, (await empty.listen()).kubeconfig);
  const [code, output] = await runCommand(["list", "--kubeconfig", file]);
  expect([code, output]).toEqual([
    3,
    expect.stringMatching(
      /knows no ReleaseManagers: choose the delivery cluster by --context, or install Chaski there: `chaski install/,
    ),
  ]);
  const own = ["--from-kubeconfig", file, "--kubeconfig", file, "-y"];
  expect((await runCommand(["clusters", "join", "eu", "--fleet", "main", ...own]))[0]).toBe(3);
  const clock = new RealClock();
  const client = createClient({ cluster: "empty", transport: empty.transport, clock, random: systemRandom });
  expect((await client.of(Secret).list({ namespace: "default" })).items).toEqual([]);
  await empty.close();
});

test("a cluster without the CRD of Canaries", async () => {
  const empty = await createEmbeddedCluster();
  const file = join(stage.folder, "no-canaries");
  await writeFile(file, (await empty.listen()).kubeconfig);
  expect(await runCommand(["canary", "status", "shop", "--kubeconfig", file])).toEqual([
    3,
    expect.stringContaining("knows no Canaries: choose"),
  ]);
  await empty.close();
});

describe("wrong words", () => {
  test.each([
    [["lits"], "Did you mean list?"],
    [["list", "--namspace", "x"], "Did you mean --namespace?"],
    [["get"], "missing required argument 'app[/target]'"],
    [["pause", "shop"], "required option '--reason <text>' not specified"],
    [["completion", "tcsh"], "Allowed choices are bash, zsh, fish"],
    [["clusters", "jion"], "Did you mean join?"],
    [["list", "-o", "yaml"], "Allowed choices are json"],
  ])("%j: %s", async (args, message) => {
    expect(await runCommand(args)).toEqual([2, expect.stringContaining(message)]);
  });
});

test("a server that goes away while it is watched, and comes back", async () => {
  const printed: string[] = [];
  const spy = vi.spyOn(console, "log").mockImplementation((text: unknown) => void printed.push(String(text)));
  const clock = new RealClock();
  const untilPrinted = async (text: string): Promise<void> => {
    while (!printed.some((each) => each.includes(text))) await clock.sleep(20);
  };
  const { url, kubeconfig } = stage.listening;
  const first = await relayTo(url, 0);
  const file = join(stage.folder, "relayed");
  await writeFile(file, kubeconfig.replace(url, first.url));
  const watching = run(["watch", "shop", "--kubeconfig", file]);
  await untilPrinted("v2 is releasing with 20 %");
  await first.close();
  await untilPrinted("does not answer");
  const second = await relayTo(url, first.port);
  await untilPrinted("the server answers again");
  process.emit("SIGINT");
  expect(await watching).toBe(0);
  await second.close();
  spy.mockRestore();
}, 30_000);

test("a reader who has seen enough", async () => {
  const args = ["watch", "shop", "-o", "json", "--kubeconfig", join(stage.folder, "kubeconfig")];
  const watching = spawn(process.execPath, ["packages/cli/src/main.ts", ...args]);
  const complaints = watching.stderr.toArray();
  const ended = once(watching, "close");
  await once(watching.stdout, "data");
  watching.stdout.destroy();
  await stage.chaski("pause", "shop", "--reason", "lunch");
  await stage.chaski("resume", "shop");
  expect([await ended, await complaints]).toEqual([[0, null], []]);
}, 30_000);

interface Relay {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** A wire that can be cut. */
async function relayTo(url: string, port: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const onward = connect(Number(new URL(url).port), "127.0.0.1");
    for (const each of [socket, onward]) sockets.add(each.on("error", () => {}));
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${own}`,
    port: own,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

describe("completion and version", () => {
  test.each(["bash", "zsh", "fish"])("%s gets every command", async (shell) => {
    const [code, script] = await runCommand(["completion", shell]);
    expect(code).toBe(0);
    for (const name of ["why", "rollback", "clusters", "doctor"]) expect(script).toContain(name);
  });

  test("version prints one", async () => {
    expect(await runCommand(["version"])).toEqual([0, expect.stringMatching(/^chaski \d+\.\d+\.\d+ \(Node /)]);
  });

  test("help tells every command and the exit codes", async () => {
    const shown: string[] = [];
    const spy = vi.spyOn(process.stdout, "write").mockImplementation((text) => shown.push(String(text)) > 0);
    const code = await run(["--help"]);
    spy.mockRestore();
    expect([code, shown.join("")]).toEqual([
      0,
      expect.stringMatching(/Look:[\s\S]*why[\s\S]*Act:[\s\S]*rollback[\s\S]*Exit codes:/),
    ]);
  });
});
