// Whether the CRDs are there, and are those that this version was written for.
import { canaryResource, crdOf, releaseResources } from "@chaski/api";
import { CustomResourceDefinition, semanticallyEqual } from "@chaski/kube";
import type { Client } from "@chaski/runtime";
import { unlessMissing } from "../cluster/unless-missing.ts";
import { failed, type Finding, ok, warning } from "./finding.ts";

export const APPLY = "`chaski install | kubectl apply --server-side -f -`";

export function definitionFindings(client: Client): Promise<readonly Finding[]> {
  const wanted = [canaryResource, ...releaseResources].map(
    (resource) => crdOf(resource) as unknown as CustomResourceDefinition,
  );
  return Promise.all(wanted.map((definition) => findingOf(client, definition)));
}

async function findingOf(client: Client, wanted: CustomResourceDefinition): Promise<Finding> {
  const { name } = wanted.metadata;
  const subject = `CRD ${wanted.spec.names.plural}`;
  const found = await unlessMissing(client.of(CustomResourceDefinition).get({ name }));
  if (!found) return failed(subject, "is not installed", `install it: ${APPLY}`);
  const isEstablished = found.status?.conditions?.some(
    ({ type, status }) => type === "Established" && status === "True",
  );
  if (!isEstablished) return failed(subject, "is not served yet", `look at \`kubectl describe crd ${name}\``);
  return semanticallyEqual(schemasOf(found), schemasOf(wanted))
    ? ok(subject, "is installed")
    : warning(subject, "is of another version than this program", `bring it up to date: ${APPLY}`);
}

function schemasOf({ spec }: CustomResourceDefinition): unknown {
  return spec.versions.map(({ name, schema }) => [name, schema?.openAPIV3Schema?.properties]);
}
