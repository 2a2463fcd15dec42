import { afterAll, afterEach, beforeAll } from "vitest";
import { type ControlPlane, type ControlPlaneOptions, startControlPlane } from "./control-plane.ts";

/** A control plane of this suite's own; its logs are kept when a test of the suite failed. */
export function useControlPlane(options: ControlPlaneOptions = {}): { readonly current: ControlPlane } {
  let plane: ControlPlane | undefined;
  let keepLogs = false;
  beforeAll(async () => {
    plane = await startControlPlane(options);
  });
  afterEach(({ task }) => {
    keepLogs ||= task.result?.state === "fail";
  });
  afterAll(async () => {
    await plane?.stop({ keepLogs });
  });
  return {
    get current() {
      if (!plane) throw new Error("the control plane runs from beforeAll to afterAll");
      return plane;
    },
  };
}
