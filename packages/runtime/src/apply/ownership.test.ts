import { defineKind, type KubeObject } from "@chaski/kube";
import { describe, expect, test } from "vitest";
import { isOwnedBy, OWNER_ANNOTATION, ownerAnnotation, ownerIndex, ownerIndexValue, ownerOf } from "./ownership.ts";

const Autoscaler = defineKind({
  group: "autoscaling",
  version: "v2",
  kind: "HorizontalPodAutoscaler",
  plural: "horizontalpodautoscalers",
  isNamespaced: true,
});
const ScaledObject = defineKind({
  group: "keda.sh",
  version: "v1alpha1",
  kind: "ScaledObject",
  plural: "scaledobjects",
  isNamespaced: true,
});
const owner = { delivery: "prod", controller: "releases.release-manager", key: "picchu/shop-production" };

function carrying(annotation: string | undefined, name = "web"): KubeObject {
  const annotations = annotation === undefined ? {} : { annotations: { [OWNER_ANNOTATION]: annotation } };
  return { apiVersion: "v1", kind: "Any", metadata: { namespace: "shop", name, ...annotations } };
}

describe("the owner annotation", () => {
  const annotation = ownerAnnotation(owner, { kind: ScaledObject, namespace: "shop", name: "web" });

  test("names delivery cluster, controller, owner and the object itself", () => {
    expect(annotation).toBe("prod releases.release-manager picchu/shop-production scaledobjects.keda.sh:shop/web");
    expect(ownerOf(ScaledObject, carrying(annotation))).toEqual(owner);
  });

  test.each([
    { what: "on another kind of the same name", kind: Autoscaler, object: carrying(annotation) },
    { what: "on another name", kind: ScaledObject, object: carrying(annotation, "keda-hpa-web") },
    { what: "unreadable", kind: ScaledObject, object: carrying("prod") },
    { what: "with a part too many", kind: ScaledObject, object: carrying(`${annotation} more`) },
    { what: "with an empty part", kind: ScaledObject, object: carrying(annotation.replace("prod", "")) },
    { what: "absent", kind: ScaledObject, object: carrying(undefined) },
  ])("$what claims nothing", ({ kind, object }) => {
    expect(ownerOf(kind, object)).toBeUndefined();
    expect(isOwnedBy(owner, kind, object)).toBe(false);
    expect(ownerIndex(kind)(object)).toEqual([]);
  });

  test("is another owner's when any part of the owner differs", () => {
    expect(isOwnedBy({ ...owner, delivery: "staging" }, ScaledObject, carrying(annotation))).toBe(false);
    expect(isOwnedBy({ ...owner, controller: "canaries.canary" }, ScaledObject, carrying(annotation))).toBe(false);
    expect(isOwnedBy({ ...owner, key: "picchu/shop" }, ScaledObject, carrying(annotation))).toBe(false);
    expect(isOwnedBy(owner, ScaledObject, carrying(annotation))).toBe(true);
    expect(ownerIndex(ScaledObject)(carrying(annotation))).toEqual([ownerIndexValue(owner)]);
  });
});
