import type { CanaryRequest } from "@chaski/api";
import { stableHash } from "@chaski/kube";

/** Names what is being released: another image, cpu, memory, template or Deployment is another revision. */
export function revisionOf(request: CanaryRequest): string {
  const template = request.type === "NormalDeploy" ? request.template : undefined;
  return stableHash({ container: request.container, newName: request.newName, template: template ?? null });
}
