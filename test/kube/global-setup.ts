// Runs once in Vitest's main process for the project `real`: has the binaries at hand before the first test, and keeps
// the shared control planes.
import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureAssets } from "./assets.ts";
import { BINARIES } from "./assets-versions.ts";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";
import { SHARED_PLANES, SHARED_SOCKET, type SharedPlane } from "./shared.ts";
import { Watchdog } from "./watchdog.ts";

export async function setup(): Promise<() => Promise<void>> {
  const needed = process.env["KUBEBUILDER_ASSETS"] ? (["etcd", "kube-apiserver"] as const) : BINARIES;
  await ensureAssets({ env: process.env, needed, log: (line) => console.error(line) });
  const folder = await mkdtemp(join(tmpdir(), "chaski-shared-"));
  const watchdog = new Watchdog(folder);
  const planes = new Map<SharedPlane, Promise<ControlPlane>>();
  const server = createServer((request, response) => {
    void planeOf(planes, (request.url ?? "").slice(1) as SharedPlane).then(
      ({ coordinates }) => response.end(JSON.stringify(coordinates)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  const socket = join(folder, "planes.sock");
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  process.env[SHARED_SOCKET] = socket;
  return async () => {
    server.close();
    await Promise.allSettled([...planes.values()].map(async (plane) => (await plane).stop()));
    await watchdog.finish();
  };
}

function planeOf(planes: Map<SharedPlane, Promise<ControlPlane>>, name: SharedPlane): Promise<ControlPlane> {
  const plane = planes.get(name) ?? startControlPlane(SHARED_PLANES[name]);
  planes.set(name, plane);
  return plane;
}
