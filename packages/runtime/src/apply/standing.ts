import { describeRef, type KubeObject, type OwnerReference, type Ref } from "@chaski/kube";
import { isOwnedBy, ownerOf } from "./ownership.ts";
import type { Site } from "./site.ts";

/** How we stand to an object that is there. */
export type Standing =
  | { readonly is: "ours" }
  /** Nobody has claimed it: it may be adopted. */
  | { readonly is: "unclaimed" }
  | { readonly is: "foreign" | "ignored"; readonly message: string };

export function standingOf(site: Site, ref: Ref, object: Readonly<KubeObject>): Standing {
  const { ignoreLabel } = site.policy;
  if (ignoreLabel !== undefined && object.metadata.labels?.[ignoreLabel] !== undefined)
    return { is: "ignored", message: `${describeRef(ref)} carries the label ${ignoreLabel}` };
  const controller = otherController(site, object);
  if (controller)
    return { is: "foreign", message: `${describeRef(ref)} belongs to ${controller.kind} ${controller.name}` };
  // An owner may end itself: a person's Revision that nothing uses any more.
  const isOwner = site.ownerUid !== undefined && object.metadata.uid === site.ownerUid;
  if (isOwner || isOwnedBy(site.owner, object)) return { is: "ours" };
  const other = ownerOf(object);
  if (!other) return { is: "unclaimed" };
  return {
    is: "foreign",
    message: `${describeRef(ref)} belongs to ${other.key} of ${other.controller} on ${other.delivery}`,
  };
}

/** The owner reference of a controller other than our owner. */
function otherController(site: Site, { metadata }: Readonly<KubeObject>): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller, uid }) => controller === true && uid !== site.ownerUid);
}
