// The embedded server's definitions of other projects' kinds against those projects' own on a real API server: what is
// accepted, refused, pruned and filled in, for every object that a release writes and for variations of it.
import { createEmbeddedCluster, type EmbeddedCluster, fleetCrds } from "@chaski/embedded";
import { compare, httpsTransport, Requests } from "@chaski/embedded/conformance";
import { apiVersionOf, type Kind, type KubeObject, type Transport } from "@chaski/kube";
import { useControlPlane } from "@chaski/test/kube/vitest";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildEntries } from "../src/objects/entries/build-entries.ts";
import { DestinationRule, ExternalSecret, kindOf, optionalKinds, PrometheusRule } from "../src/objects/kinds.ts";
import { ScaledObject, ServiceMonitor, type SpecObject, VirtualService } from "../src/objects/kinds.ts";
import { everything } from "./everything.ts";
import * as foreign from "./foreign-parts.ts";
import { goldenObjects } from "./golden.ts";
import { installNeededCrds } from "./needed-crds.ts";
import { variationsOf } from "./variations.ts";

const plane = useControlPlane({ name: "fleet-crds" });
let embedded: EmbeddedCluster | undefined;
let real: Transport | undefined;

beforeAll(async () => {
  await installNeededCrds(plane.current);
  const { server, ca, credentials } = plane.current.admin.definition;
  real = httpsTransport(server, { ca, ...credentials });
  embedded = await createEmbeddedCluster();
  const api = new Requests(embedded.transport);
  for (const crd of fleetCrds()) {
    const { status, body } = await api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd);
    expect({ status, body }).toMatchObject({ status: 201 });
  }
});
afterAll(async () => {
  await embedded?.close();
  await real?.close();
});

const isForeign = (object: KubeObject): boolean => optionalKinds.some((kind) => kind === kindOf(object));

function written(): readonly SpecObject[] {
  const entries = Object.values(buildEntries(everything())).flat();
  return entries.flatMap((entry) => ("object" in entry && isForeign(entry.object) ? [entry.object] : []));
}

/** What users may have a release write. */
const carried: readonly SpecObject[] = [
  objectOf(DestinationRule, {
    host: "relay",
    subsets: [{ name: "v1", labels: { a: "b" }, trafficPolicy: foreign.trafficPolicy }],
  }),
  objectOf(VirtualService, {
    hosts: ["relay"],
    http: [{ name: "a", route: [{ destination: { host: "relay" } }], fault: foreign.fault }],
  }),
  objectOf(ServiceMonitor, foreign.serviceMonitorSpec),
  objectOf(ExternalSecret, foreign.externalSecretSpec),
  objectOf(ScaledObject, {
    scaleTargetRef: { name: "v1" },
    triggers: [{ type: "cron", name: "a", metricType: "Value", useCachedMetrics: true, metadata: { a: "b" } }],
    ...foreign.kedaSettings,
  }),
  objectOf(PrometheusRule, { groups: [{ name: "a", interval: "1m", rules: [foreign.alertRule] }] }),
];

function objectOf(kind: Kind, spec: Readonly<Record<string, unknown>>): SpecObject {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { name: "carried" }, spec };
}

const objects = [
  ...written(),
  ...goldenObjects()
    .map(({ object }) => object)
    .filter(isForeign),
  ...carried,
].map((object, index) => ({
  title: `${object.kind} ${object.metadata.name}`,
  object,
  namespace: `fleet-crds-${index}`,
}));

test("there is a definition for every kind that a release writes", () => {
  expect(new Set(objects.map(({ object }) => kindOf(object)))).toEqual(new Set(optionalKinds));
});

test.each(objects)("$title and its variations fare as upstream", async ({ title, object, namespace }) => {
  if (!embedded || !real) throw new Error("no servers");
  const disagreements = await compare(
    { embedded: embedded.transport, real },
    {
      name: title,
      run: async ({ api, path }) => {
        const at = path(object.apiVersion, kindOf(object)?.plural ?? "");
        const { namespace: _, ...metadata } = object.metadata;
        for (const variation of variationsOf({ ...object, metadata })) await api.post(`${at}?dryRun=All`, variation);
      },
    },
    namespace,
  );
  expect(disagreements.filter(({ isInWordsOnly }) => !isInWordsOnly)).toEqual([]);
});
