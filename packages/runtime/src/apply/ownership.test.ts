import type { KubeObject } from "@chaski/kube";
import { describe, expect, test } from "vitest";
import { isOwnedBy, OWNER_ANNOTATION, ownerAnnotation, ownerOf } from "./ownership.ts";

const owner = { delivery: "prod", controller: "releases.release-manager", key: "picchu/shop-production" };
const bare = scaledObject({});

function scaledObject(other: Partial<KubeObject>, annotation?: string, name = "web"): KubeObject {
  const annotations = annotation === undefined ? {} : { annotations: { [OWNER_ANNOTATION]: annotation } };
  const metadata = { namespace: "shop", name, ...annotations };
  return { apiVersion: "keda.sh/v1alpha1", kind: "ScaledObject", metadata, ...other };
}

describe("the owner annotation", () => {
  const annotation = ownerAnnotation(owner, bare);

  test("names delivery cluster, controller, owner and the object itself", () => {
    expect(annotation).toBe("prod releases.release-manager picchu/shop-production ScaledObject.keda.sh:shop/web");
    expect(ownerOf(scaledObject({}, annotation))).toEqual(owner);
  });

  test("holds in every version of the kind", () => {
    expect(ownerOf(scaledObject({ apiVersion: "keda.sh/v1" }, annotation))).toEqual(owner);
  });

  test.each([
    {
      what: "on another kind of the same name",
      object: scaledObject({ apiVersion: "autoscaling/v2", kind: "HorizontalPodAutoscaler" }, annotation),
    },
    { what: "on a kind of another group", object: scaledObject({ apiVersion: "other.dev/v1" }, annotation) },
    { what: "on another name", object: scaledObject({}, annotation, "keda-hpa-web") },
    { what: "unreadable", object: scaledObject({}, "prod") },
    { what: "with a part too many", object: scaledObject({}, `${annotation} more`) },
    { what: "with an empty part", object: scaledObject({}, annotation.replace("prod", "")) },
    { what: "absent", object: bare },
  ])("$what claims nothing", ({ object }) => {
    expect(ownerOf(object)).toBeUndefined();
    expect(isOwnedBy(owner, object)).toBe(false);
  });

  test("is another owner's when any part of the owner differs", () => {
    const object = scaledObject({}, annotation);
    expect(isOwnedBy({ ...owner, delivery: "staging" }, object)).toBe(false);
    expect(isOwnedBy({ ...owner, controller: "canaries.canary" }, object)).toBe(false);
    expect(isOwnedBy({ ...owner, key: "picchu/shop" }, object)).toBe(false);
    expect(isOwnedBy(owner, object)).toBe(true);
  });
});
