import type { CanaryRequest } from "@chaski/api";
import { contentHash } from "@chaski/kube";

/** Names what is being released: another image, cpu, memory, template or Deployment is another revision. */
export function revisionOf(request: CanaryRequest): string {
  const template = request.type === "NormalDeploy" ? request.template : undefined;
  return contentHash({ container: request.container, newName: request.newName, template: template ?? null });
}
