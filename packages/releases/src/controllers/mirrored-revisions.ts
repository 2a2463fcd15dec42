import { type Mirror, Revision } from "@chaski/api";
import { ConfigMap, keyOf, type KubeObject, matchesLabels, parseLabelSelector, Secret } from "@chaski/kube";
import { type Caches, ownerOf } from "@chaski/runtime";
import { CONFIG_KINDS, type MirroredConfig, type MirroredRevision } from "../engine/decide-mirror.ts";
import { configSources, sourceOf } from "./config-sources.ts";

export const MIRROR_CONTROLLER = "releases.mirror";

export function mirroredRevisions(caches: Caches, mirror: Mirror): readonly MirroredRevision[] {
  return caches
    .of(Revision)
    .list()
    .filter(isMirrored)
    .toSorted((a, b) => (keyOf(a.metadata) < keyOf(b.metadata) ? -1 : 1))
    .map((revision) => ({
      revision,
      cluster: keyOf({ namespace: revision.metadata.namespace ?? "", name: mirror.spec.clusterName }),
      configs: configsOf(caches, mirror, revision),
    }));
}

/** A copy is not copied on: two clusters that mirror each other would take their own Revisions for copies. */
function isMirrored(revision: Revision): boolean {
  const { spec, status } = revision;
  const hasPods = (status?.targets ?? []).some(({ scale }) => scale.current + scale.desired > 0);
  return hasPods && spec.disableMirroring !== true && ownerOf(revision)?.controller !== MIRROR_CONTROLLER;
}

function configsOf(caches: Caches, mirror: Mirror, revision: Revision): readonly MirroredConfig[] {
  const { namespace = "" } = revision.metadata;
  const chosen = revision.spec.targets.flatMap(({ name: target }) =>
    configSources(caches, namespace, { revisions: [revision], target }),
  );
  const configs = [...chosen, ...additionalConfigs(caches, mirror, revision)].map((source) => {
    const object = caches.of<KubeObject>(CONFIG_KINDS[source.kind]).inNamespace(source.namespace).get(source.name);
    return { ...source, annotations: object?.metadata.annotations ?? {} };
  });
  return [...new Map(configs.map((config) => [`${config.kind} ${keyOf(config)}`, config])).values()];
}

/** A selector that can't be read chooses nothing. */
function additionalConfigs(caches: Caches, { spec }: Mirror, { spec: { app } }: Revision) {
  return (spec.additionalConfigSelectors ?? []).flatMap(
    ({ namespace = "", labelSelector = "", appLabelName, tagLabelName }) => {
      const selector = parseLabelSelector(labelSelector);
      if (!selector.ok) return [];
      const isChosen = ({ metadata: { labels = {} } }: KubeObject): boolean =>
        labels[appLabelName] === app.name && labels[tagLabelName] === app.tag && matchesLabels(selector.value, labels);
      return [Secret, ConfigMap].flatMap((kind) => {
        const cache = caches.of<KubeObject>(kind);
        const all = namespace === "" ? cache.list() : cache.inNamespace(namespace).list();
        return all.filter(isChosen).map(sourceOf);
      });
    },
  );
}
