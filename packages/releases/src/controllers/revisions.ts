// Which Revisions belong to which release.
import { releaseKeys, type ReleaseManager, Revision } from "@chaski/api";
import { keyOf, type KubeObject } from "@chaski/kube";
import type { CacheOptions, Caches } from "@chaski/runtime";

const BY_APP = "releases:app";
const BY_NAMESPACE = "releases:namespace";

function appOf({ metadata, spec }: Readonly<KubeObject> & Partial<Pick<Revision, "spec">>): readonly string[] {
  const labelled = metadata.labels?.[releaseKeys.labels.app];
  const apps = new Set([labelled, spec?.app?.name].flatMap((app) => app ?? []));
  return [...apps].map((app) => `${metadata.namespace ?? ""}/${app}`);
}

function namespaceOf({ metadata }: Readonly<KubeObject>): readonly string[] {
  return [metadata.namespace ?? ""];
}

export const revisionCache: CacheOptions<Revision> = { indices: { [BY_APP]: appOf, [BY_NAMESPACE]: namespaceOf } };

export function revisionsIn(caches: Caches, namespace: string): readonly Revision[] {
  return caches.of(Revision).byIndex(BY_NAMESPACE, namespace);
}

export function revisionsOfApp(caches: Caches, namespace: string, app: string): readonly Revision[] {
  return caches.of(Revision).byIndex(BY_APP, `${namespace}/${app}`);
}

/** Chosen by labels, as the Revision controller set them. */
export function revisionsOf(caches: Caches, { metadata, spec }: ReleaseManager): readonly Revision[] {
  return revisionsOfApp(caches, metadata.namespace ?? "", spec.app).filter(
    (revision) =>
      revision.metadata.labels?.[releaseKeys.labels.app] === spec.app &&
      revision.metadata.labels[releaseKeys.fleetLabel(spec.fleet)] !== undefined,
  );
}

export function releaseKeyOf({ metadata, spec }: Revision, target: string): string {
  return keyOf({ namespace: metadata.namespace ?? "", name: releaseNameOf(spec.app.name, target) });
}

/** Also the name of the namespace on every cluster. */
export function releaseNameOf(app: string, target: string): string {
  return `${app}-${target}`;
}
