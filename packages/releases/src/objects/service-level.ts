import { releaseKeys, type ServiceLevelObjective } from "@chaski/api";
import { apiVersionOf } from "@chaski/kube";
import type { AppPlan } from "../plan/plan.ts";
import type { App } from "./app.ts";
import { filled } from "./filled.ts";
import { PrometheusServiceLevel, type SpecObject } from "./kinds.ts";
import type { Labels } from "./labels.ts";
import { readFloat } from "./number-text.ts";
import { type Objective, recordable, recordName } from "./objectives.ts";

type Fields = Readonly<Record<string, unknown>>;
type ServiceLevelPlan = App & Pick<AppPlan, "objectives" | "objectiveLabels" | "flags">;

/** What Sloth makes its alerts from (§12.3); undefined where there is no objective, or no namespace for them. */
export function buildServiceLevel(app: ServiceLevelPlan): SpecObject | undefined {
  const { serviceLevelsNamespace: namespace } = app.flags;
  const slos = recordable(app.objectives).map((objective) => sloOf(app, objective));
  if (namespace === "" || slos.length === 0) return undefined;
  const { labels } = releaseKeys;
  return {
    apiVersion: apiVersionOf(PrometheusServiceLevel),
    kind: PrometheusServiceLevel.kind,
    metadata: {
      name: `${app.app}-${app.target}-servicelevels`,
      namespace,
      labels: { [labels.app]: app.app, [labels.target]: app.target },
    },
    spec: { service: app.app, slos },
  };
}

function sloOf({ app, objectiveLabels }: ServiceLevelPlan, objective: Objective): Fields {
  const { given, name } = objective;
  const own = given.serviceLevelObjectiveLabels?.serviceLevelLabels ?? {};
  const events = {
    errorQuery: eventQuery(recordName(app, objective, "errors"), given, own),
    totalQuery: eventQuery(recordName(app, objective, "total"), given, own),
  };
  return {
    name,
    objective: readFloat(given.objectivePercentString) ?? 0,
    ...filled({ description: given.description, labels: { ...objectiveLabels.serviceLevelLabels, ...own } }),
    sli: { events },
    alerting: alertingOf(given),
  };
}

/** The label `tag` has to reach the alert: that is what a roll-back matches on. */
function eventQuery(record: string, { serviceLevelIndicator }: ServiceLevelObjective, labels: Labels): string {
  const { tagKey } = serviceLevelIndicator ?? {};
  const rate = `rate(${record}[{{.window}}])`;
  const tagged =
    !tagKey || tagKey === "tag" ? rate : `label_replace(${rate}, "tag", "$1", ${JSON.stringify(tagKey)}, "(.*)")`;
  return `sum by (${"is_grpc" in labels ? "tag, grpc_method" : "tag"}) (${tagged})`;
}

/** Sloth wants the field; without a name it makes no alerts to speak of. */
function alertingOf({ alerting }: ServiceLevelObjective): Fields {
  if (!alerting?.name) return {};
  const { name, labels, annotations, pageAlert, ticketAlert } = alerting;
  return filled({
    name,
    labels,
    annotations,
    pageAlert: pageAlert && filled(pageAlert),
    ticketAlert: ticketAlert && filled(ticketAlert),
  });
}
