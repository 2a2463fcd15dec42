// Control planes that all test files of one run share, so that a suite pays for its own namespace only. They live in
// Vitest's main process (global-setup.ts), start when first asked for, and end with it. A suite that kills or pauses
// servers starts its own.
import { request } from "node:http";
import { ClusterAccess, type Coordinates } from "./cluster-access.ts";
import type { ControlPlaneOptions } from "./control-plane.ts";

export const SHARED_PLANES = {
  /** etcd and the API server; pods need no service account. */
  bare: { name: "shared-bare", audit: "Metadata" },
  /** With everything that makes a Deployment's pods ready. */
  workloads: { name: "shared-workloads", audit: "Metadata", controllerManager: true, scheduler: true, kwok: true },
} as const satisfies Record<string, ControlPlaneOptions>;

export type SharedPlane = keyof typeof SHARED_PLANES;

/** Names the socket on which the main process hands out coordinates. */
export const SHARED_SOCKET = "CHASKI_TEST_SHARED_PLANES";

export async function sharedControlPlane(name: SharedPlane = "bare"): Promise<ClusterAccess> {
  const socketPath = process.env[SHARED_SOCKET];
  if (!socketPath) throw new Error("shared control planes are for the Vitest project `real`; start one of your own");
  const { status, text } = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request({ socketPath, path: `/${name}` }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on("error", reject).end();
  });
  if (status !== 200) throw new Error(text);
  return ClusterAccess.attach(JSON.parse(text) as Coordinates);
}
