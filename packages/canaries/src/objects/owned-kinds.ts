import { ControllerRevision, Deployment, type Kind, type KubeObject } from "@chaski/kube";

/** The kinds that a Canary owns. */
const OWNED_KINDS: readonly Kind[] = [Deployment, ControllerRevision];

export function kindOfOwned({ kind }: KubeObject): Kind | undefined {
  return OWNED_KINDS.find((owned) => owned.kind === kind);
}
