import { describe, expect, expectTypeOf, test } from "vitest";
import {
  apiVersionOf,
  ConfigMap,
  type CoreEvent,
  Deployment,
  type DeploymentSpec,
  describeRef,
  Event,
  keyOf,
  type Kind,
  type KubeObject,
  type ObjectOf,
  parseKey,
  type PodTemplateSpec,
  refTo,
  resourceName,
  type ServicePort,
} from "./index.ts";

const web: Deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { namespace: "shop", name: "web" },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: "web" } },
    template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "web:1" }] } },
  },
};

describe("a kind", () => {
  test("is typed by its objects", () => {
    expectTypeOf<ObjectOf<typeof Deployment>>().toEqualTypeOf<Deployment>();
    expectTypeOf(Deployment).toExtend<Kind<Deployment>>();
    expectTypeOf(Deployment).not.toExtend<Kind<ConfigMap>>();
    expectTypeOf<CoreEvent["apiVersion"]>().toEqualTypeOf<"v1">();
    expectTypeOf<ObjectOf<typeof Event>["apiVersion"]>().toEqualTypeOf<"events.k8s.io/v1">();
  });

  test("is a kind of objects, and its objects are objects", () => {
    expectTypeOf(Deployment).toExtend<Kind>();
    expectTypeOf<Deployment>().toExtend<KubeObject>();
    expectTypeOf<Kind>().not.toExtend<Kind<Deployment>>();
  });

  test("has fields as the schema names them", () => {
    expectTypeOf<Deployment["spec"]>().toEqualTypeOf<DeploymentSpec>();
    expectTypeOf<DeploymentSpec["template"]>().toEqualTypeOf<PodTemplateSpec>();
    expectTypeOf<NonNullable<ServicePort["targetPort"]>>().toEqualTypeOf<number | string>();
    expectTypeOf<Deployment["kind"]>().toEqualTypeOf<"Deployment">();
  });

  test.each([
    { kind: Deployment, apiVersion: "apps/v1", resource: "deployments.apps" },
    { kind: ConfigMap, apiVersion: "v1", resource: "configmaps" },
    { kind: Event, apiVersion: "events.k8s.io/v1", resource: "events.events.k8s.io" },
  ])("$resource is served as $apiVersion", ({ kind, apiVersion, resource }) => {
    expect(apiVersionOf(kind)).toBe(apiVersion);
    expect(resourceName(kind)).toBe(resource);
  });
});

describe("a reference", () => {
  test("keeps the kind's type and names the object in words", () => {
    const ref = refTo(Deployment, web);
    expectTypeOf(ref.kind).toEqualTypeOf<Kind<Deployment>>();
    expect(describeRef(ref)).toBe("Deployment shop/web");
  });

  test.each([
    { key: "shop/web", parsed: { namespace: "shop", name: "web" } },
    { key: "shop", parsed: { name: "shop" } },
  ])("the key $key reads back", ({ key, parsed }) => {
    expect(parseKey(key)).toEqual(parsed);
    expect(keyOf(parsed)).toBe(key);
  });
});
