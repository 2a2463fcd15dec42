// The webhooks of the releases wing, under the replaced operator's names (§3).
import { releaseKeys, revisionMatchConditions } from "@chaski/api";
import { ADMISSION_PATHS } from "@chaski/releases";
import type { InstallValues, Manifest } from "./manifests.ts";
import { RELEASE_WEBHOOKS, WEBHOOK_SERVICE } from "./webhooks.ts";

/** Asked about nothing that a roll-back needs, so they may refuse while they are down (D-33). */
export function releaseWebhooks({ namespace }: Pick<InstallValues, "namespace">): readonly Manifest[] {
  const service = { name: WEBHOOK_SERVICE, namespace };
  const ofRevisions = {
    ...COMMON,
    matchConditions: revisionMatchConditions,
    rules: [rule("revisions", ["CREATE", "UPDATE"])],
  };
  return [
    configuration("MutatingWebhookConfiguration", [
      {
        name: "mrevision.kb.io",
        clientConfig: { service: { ...service, path: ADMISSION_PATHS.mutateRevision } },
        ...ofRevisions,
      },
    ]),
    configuration("ValidatingWebhookConfiguration", [
      {
        name: "vrevision.kb.io",
        clientConfig: { service: { ...service, path: ADMISSION_PATHS.validateRevision } },
        ...ofRevisions,
      },
      {
        name: "vreleasemanager.kb.io",
        clientConfig: { service: { ...service, path: ADMISSION_PATHS.validateReleaseManager } },
        ...COMMON,
        matchConditions: [CARRIES_TRAFFIC],
        rules: [rule("releasemanagers", ["DELETE"])],
      },
    ]),
  ];
}

const COMMON = {
  admissionReviewVersions: ["v1"],
  failurePolicy: "Fail",
  matchPolicy: "Equivalent",
  sideEffects: "None",
  timeoutSeconds: 5,
};

/** Others may be deleted while nobody answers (D-83). */
const CARRIES_TRAFFIC = {
  name: "carries-traffic",
  expression: [
    "has(oldObject.status)",
    "has(oldObject.status.revisions)",
    "oldObject.status.revisions.exists(revision, revision.currentPercent > 0)",
  ].join(" && "),
};

function rule(resource: string, operations: readonly string[]): Manifest {
  return {
    apiGroups: [releaseKeys.RELEASES_GROUP],
    apiVersions: ["v1alpha1"],
    operations,
    resources: [resource],
    scope: "Namespaced",
  };
}

function configuration(kind: string, webhooks: readonly Manifest[]): Manifest {
  const metadata = { name: RELEASE_WEBHOOKS, labels: { "app.kubernetes.io/name": "chaski" } };
  return { apiVersion: "admissionregistration.k8s.io/v1", kind, metadata, webhooks };
}
