import type { Runtime } from "@chaski/runtime";
import { RELEASE_MANAGER_CONTROLLER } from "./release-manager.ts";
import type { LatePods } from "../pods/late-pods.ts";

/** Looks on the runtime's clusters; releases are woken with what was found. */
export function lookForLatePods(runtime: Pick<Runtime, "clientOf" | "wake">, pods: LatePods): Disposable {
  return pods.attach({
    clientOf: (cluster) => runtime.clientOf(cluster),
    onLook: (release) => runtime.wake(RELEASE_MANAGER_CONTROLLER, release),
  });
}
