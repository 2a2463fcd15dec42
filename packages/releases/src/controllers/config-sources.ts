// Configs of the delivery cluster that revisions choose by label, as references and hashes.
import type { Revision } from "@chaski/api";
import {
  ConfigMap,
  contentHash,
  type KubeObject,
  type LabelRequirements,
  matchesLabels,
  readLabelSelector,
  Secret,
} from "@chaski/kube";
import { type Caches, copyHash, type WakeRule, wake, withoutContent } from "@chaski/runtime";
import type { ConfigSource } from "../engine/world.ts";
import { ExternalSecret, type SpecObject } from "../objects/kinds.ts";
import { releaseKeyOf, revisionsIn } from "./revisions.ts";

export function configSources(
  caches: Caches,
  namespace: string,
  { revisions, target }: { readonly revisions: readonly Revision[]; readonly target: string },
): readonly ConfigSource[] {
  const selectors = revisions.flatMap((revision) => selectorsOf(revision, target));
  if (selectors.length === 0) return [];
  return [Secret, ConfigMap, ExternalSecret].flatMap((kind) =>
    caches
      .of<KubeObject>(kind)
      .inNamespace(namespace)
      .list()
      .filter(({ metadata: { labels = {} } }) => selectors.some((selector) => matchesLabels(selector, labels)))
      .map(sourceOf),
  );
}

/** A config that changes, comes or goes wakes the releases that choose it. */
export const configWakes: readonly WakeRule[] = [Secret, ConfigMap, ExternalSecret].map((kind) =>
  wake<KubeObject>({
    kind,
    on: "delivery",
    keys: ({ metadata: { namespace = "", labels = {} } }, { caches }) =>
      revisionsIn(caches, namespace).flatMap((revision) =>
        revision.spec.targets
          .filter(({ name }) => selectorsOf(revision, name).some((selector) => matchesLabels(selector, labels)))
          .map(({ name }) => releaseKeyOf(revision, name)),
      ),
    ...(kind === ExternalSecret ? {} : { cache: { transform: withoutContent } }),
  }),
);

export function sourceOf(object: Readonly<KubeObject>): ConfigSource {
  const { name, namespace = "", labels = {} } = object.metadata;
  const reference = { name, namespace, labels };
  switch (object.kind) {
    case Secret.kind: {
      const { type } = object as Secret;
      return { kind: "Secret", ...reference, hash: copyHash(object), ...(type ? { type } : {}) };
    }
    case ConfigMap.kind:
      return { kind: "ConfigMap", ...reference, hash: copyHash(object) };
    default: {
      const { spec = {} } = object as SpecObject;
      return { kind: "ExternalSecret", ...reference, hash: contentHash(spec), spec };
    }
  }
}

const parsed = new WeakMap<object, readonly LabelRequirements[]>();

/** Of one target; none where nothing is chosen. */
function selectorsOf({ spec }: Revision, target: string): readonly LabelRequirements[] {
  const given = spec.targets.find(({ name }) => name === target)?.configSelector;
  if (given === undefined || given === null) return [];
  const known = parsed.get(given);
  if (known) return known;
  const selector = readLabelSelector(given);
  const selectors = selector.ok ? [selector.value] : [];
  parsed.set(given, selectors);
  return selectors;
}
