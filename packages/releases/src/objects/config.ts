// Configs that a revision chose on the delivery cluster, under the same name in the target namespace.
import { apiVersionOf, ConfigMap, type Kind, type Ref, refTo, Secret } from "@chaski/kube";
import { type ApplyEntry, apply } from "@chaski/runtime/decision";
import type { ConfigPlan } from "../plan/plan.ts";
import type { ConfigSource } from "../plan/config-source.ts";
import type { App } from "./app.ts";
import { ExternalSecret, type SpecObject } from "./kinds.ts";
import { incarnationLabels } from "./labels.ts";

const KINDS: Readonly<Record<ConfigSource["kind"], Kind>> = { Secret, ConfigMap, ExternalSecret };

export function configKind({ kind }: Pick<ConfigSource, "kind">): Kind {
  return KINDS[kind];
}

/** Labels of the newest tag that chose it; those and the annotations of the source stay there. */
export function buildConfig(app: App, { source, tag }: ConfigPlan): SpecObject {
  const kind = configKind(source);
  const metadata = { name: source.name, namespace: app.namespace, labels: incarnationLabels(app, tag) };
  const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
  return source.kind === "ExternalSecret" ? { ...object, spec: source.spec ?? {} } : object;
}

/** The content of Secrets and ConfigMaps is read by the applier alone; an ExternalSecret has none. */
export function applyConfig(app: App, config: ConfigPlan, after: readonly Ref[] = []): ApplyEntry {
  const { source } = config;
  const kind = configKind(source);
  const object = buildConfig(app, config);
  const copyOf = { ref: { kind, namespace: source.namespace, name: source.name }, hash: source.hash };
  return apply(refTo(kind, object), object, { after, ...(source.kind === "ExternalSecret" ? {} : { copyOf }) });
}
