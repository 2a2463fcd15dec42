// The chart's templates are the install manifests with Helm's expressions in the place of values, so that chart and
// config/ can't say different things. values.yaml, the notes and the helper are written by hand.
import { operatorConfigJsonSchema } from "@chaski/api";
import {
  crdManifests,
  disruptionBudget,
  type InstallValues,
  type Manifest,
  networkPolicy,
  operatorManifests,
  rbacManifests,
  releaseWebhooks,
  VERSION,
  WINGS,
} from "@chaski/operator";
import { yaml } from "./yaml-file.ts";

const CHART = "charts/chaski";
/** Marks an expression that stands for something else than a string: YAML would quote it. */
const BARE = "BARE";

const VALUES: InstallValues = {
  namespace: "{{ .Release.Namespace }}",
  image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}",
  replicas: `${BARE}{{ .Values.replicas }}`,
  resources: `${BARE}{{- toYaml .Values.resources | nindent 12 }}`,
  wings: '{{ join "," .Values.wings }}',
  config: `${BARE}{{ include "chaski.config" . | quote }}`,
};

export function chartFiles(): readonly (readonly [path: string, content: string])[] {
  const chart = {
    apiVersion: "v2",
    name: "chaski",
    description: "Progressive delivery for Kubernetes fleets",
    type: "application",
    version: VERSION,
    appVersion: VERSION,
    kubeVersion: ">=1.30.0-0",
  };
  const templates = {
    crds: only("crds.install", literal(yaml(crdManifests().map(kept)))),
    rbac: bare(yaml(rbacManifests(VALUES))),
    operator: bare(yaml(operatorManifests(VALUES))),
    "release-webhooks": `{{- if has "releases" .Values.wings }}\n${bare(yaml(releaseWebhooks(VALUES)))}{{- end }}\n`,
    "disruption-budget": only("disruptionBudget.enabled", bare(yaml([disruptionBudget(VALUES)]))),
    "network-policy": only("networkPolicy.enabled", bare(yaml([networkPolicy(VALUES)]))),
  };
  return [
    [`${CHART}/Chart.yaml`, yaml([chart])],
    [`${CHART}/values.schema.json`, `${JSON.stringify(valuesSchema(), null, 2)}\n`],
    ...Object.entries(templates).map(([name, text]) => [`${CHART}/templates/${name}.yaml`, text] as const),
  ];
}

/** A value that nobody reads is a mistake that somebody should hear of. */
function valuesSchema(): object {
  const flag = (name: string): object => strict({ [name]: { type: "boolean" } });
  const properties = {
    global: { type: "object" },
    replicas: { type: "integer", minimum: 1 },
    image: strict({ repository: { type: "string", minLength: 1 }, tag: { type: "string" } }),
    wings: { type: "array", minItems: 1, uniqueItems: true, items: { enum: WINGS } },
    config: operatorConfigJsonSchema(),
    resources: { type: "object" },
    crds: flag("install"),
    disruptionBudget: flag("enabled"),
    networkPolicy: flag("enabled"),
  };
  return { $schema: "http://json-schema.org/draft-07/schema#", ...strict(properties) };
}

function strict(properties: object): object {
  return { type: "object", additionalProperties: false, properties };
}

/** Uninstalling the chart must not take every release's memory with it. */
function kept(crd: Manifest): Manifest {
  const metadata = { ...(crd["metadata"] as Manifest), annotations: { "helm.sh/resource-policy": "keep" } };
  return { ...crd, metadata };
}

function only(value: string, template: string): string {
  return `{{- if .Values.${value} }}\n${template}{{- end }}\n`;
}

function bare(template: string): string {
  return template.replaceAll(new RegExp(`["']?${BARE}(.*?\\}\\})["']?$`, "gm"), "$1");
}

/** Text that means itself although it has braces. */
function literal(text: string): string {
  return text.replaceAll("{{", '{{ "{{" }}');
}
