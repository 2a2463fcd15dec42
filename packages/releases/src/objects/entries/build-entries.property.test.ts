import * as fc from "fast-check";
import { expect, test } from "vitest";
import { echoApp, echoCluster, echoRevision, echoTarget } from "../../../test/echo.ts";
import { buildEntries } from "./build-entries.ts";

const odd = fc.constantFrom<unknown>(null, 0, -1, true, "", "x", [], [null], [{}], {}, { a: null }, { limits: "1" });
const fieldName = fc.constantFrom("name", "ports", "limits", "requests", "metadata", "regex", "type", "maxUnavailable");
const anything = fc.dictionary(fieldName, odd, { maxKeys: 4 });
const text = fc.string({ maxLength: 12 });
const objective = fc.record({
  name: text,
  enabled: fc.constant(true),
  objectivePercentString: text,
  serviceLevelIndicator: fc.record({
    canary: fc.record({ enabled: fc.constant(true), allowancePercentString: text, failAfter: text }),
    tagKey: text,
    totalQuery: text,
    errorQuery: text,
  }),
});

/** What the schema lets through: foreign objects of any shape, text of any kind. */
const target = fc.record({
  sidecars: fc.array(fc.oneof(anything, fc.record({ ports: odd })), { maxLength: 2 }),
  resources: anything,
  volumes: fc.array(anything, { maxLength: 2 }),
  topologySpreadConstraint: anything,
  podDisruptionBudget: anything,
  podAnnotations: fc.dictionary(text, text, { maxKeys: 3 }),
  waypointResources: fc.record({ limits: odd, requests: odd }),
  serviceLevelObjectives: fc.array(objective, { maxLength: 3 }),
  scale: fc.record({ kedaWorker: fc.record({ triggers: fc.array(anything, { maxLength: 2 }) }) }),
});
const monitor = fc.record({
  name: text,
  sloRegex: fc.boolean(),
  spec: fc.record({ endpoints: fc.oneof(odd, fc.array(fc.record({ metricRelabelings: odd }))) }),
});

test("whatever people write into foreign fields, objects are built and the input stays as it was", () => {
  fc.assert(
    fc.property(target, fc.array(monitor, { maxLength: 2 }), (wild, serviceMonitors) => {
      const given = echoTarget(structuredClone(wild) as object);
      const app = echoApp({
        revisions: [echoRevision({ tag: "v1", target: given, autoscaler: { type: "keda" }, hasCanaryRule: true })],
        mesh: {
          mode: "ambient",
          waypoint: { minReplicas: 2, maxReplicas: 2, targetCpuPercent: 70, resources: given.waypointResources ?? {} },
        },
        podDisruptionBudget: given.podDisruptionBudget ?? {},
        objectives: given.serviceLevelObjectives ?? [],
        serviceMonitors: serviceMonitors as never[],
      });
      const revisions = [{ tag: "v1", initialReplicas: 1, bounds: { min: 1, max: 2 } }];
      const cluster = { cluster: "east", spec: echoCluster(), served: [], revisions, endings: [], owned: [] };
      const before = structuredClone(app);
      buildEntries({ app, clusters: [cluster] });
      expect(app).toEqual(before);
    }),
    { numRuns: 300 },
  );
});
