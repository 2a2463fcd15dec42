import { releaseKeys, type RevisionTarget } from "@chaski/api";
import { apiVersionOf } from "@chaski/kube";
import type { AppPlan } from "../plan/plan.ts";
import type { App } from "./app.ts";
import { filled } from "./filled.ts";
import { PrometheusRule, type SpecObject } from "./kinds.ts";
import { appLabels, incarnationLabels, type Labels } from "./labels.ts";
import { formatGeneral, readFloat } from "./number-text.ts";
import { type Objective, recordable, recordName } from "./objectives.ts";

type Fields = Readonly<Record<string, unknown>>;

const { ruleType } = releaseKeys.labels;
const CHANNEL = "#eng-releases";

/** The app's own alert rules; undefined where there are none. */
export function buildAlertRules(app: App, rules: AppPlan["alertRules"]): SpecObject | undefined {
  return ruleObject(app, app.app, appLabels(app), rules.length > 0 ? [{ name: "picchu.rules", rules }] : []);
}

function recordingRulesName({ app }: App): string {
  return `${app.toLowerCase()}-slo`;
}

/** Totals and errors of each objective (§12.1); undefined where there is none to record. */
export function buildRecordingRules(
  app: App & Pick<AppPlan, "objectives" | "objectiveLabels">,
): SpecObject | undefined {
  const labels = { ...appLabels(app), ...app.objectiveLabels.ruleLabels, [ruleType]: "slo" };
  const groups = recordable(app.objectives).map((objective) => ({
    name: `${objective.name}_record`,
    rules: [
      { record: recordName(app.app, objective, "total"), expr: objective.totalQuery },
      { record: recordName(app.app, objective, "errors"), expr: objective.errorQuery },
    ],
  }));
  return ruleObject(app, recordingRulesName(app), labels, groups);
}

export function canaryRuleName({ app }: App, tag: string): string {
  return `${app}-canary-${tag}`;
}

/** Fires while the canary errs more than the app at large (§12.2); undefined where no enabled objective asks for it. */
export function buildCanaryRule(app: App, tag: string, target: RevisionTarget): SpecObject | undefined {
  const given = target.serviceLevelObjectives ?? [];
  const judged = given.filter(
    ({ enabled, serviceLevelIndicator }) => enabled && serviceLevelIndicator?.canary?.enabled,
  );
  const { ruleLabels, alertLabels } = target.serviceLevelObjectiveLabels ?? {};
  const labels = { ...incarnationLabels(app, tag), ...ruleLabels, [ruleType]: "canary" };
  const groups = recordable(judged).map((objective) => canaryGroup(app, tag, objective, alertLabels ?? {}));
  return ruleObject(app, canaryRuleName(app, tag), labels, groups);
}

function canaryGroup({ app }: App, tag: string, objective: Objective, alertLabels: Labels): Fields {
  const { given, name } = objective;
  const rule = {
    alert: `${name}_canary`,
    expr: canaryExpression(app, tag, objective),
    for: given.serviceLevelIndicator?.canary?.failAfter,
    labels: {
      app,
      tag,
      canary: "true",
      slo: "true",
      ...alertLabels,
      ...given.serviceLevelObjectiveLabels?.alertLabels,
      channel: CHANNEL,
    },
    annotations: filled({ summary: `${app} - Canary is failing SLO`, message: given.description }),
  };
  return { name: `${name}_canary`, rules: [filled(rule)] };
}

function canaryExpression(app: string, tag: string, objective: Objective): string {
  const { canary, tagKey } = objective.given.serviceLevelIndicator ?? {};
  const key = tagKey || "tag";
  const percent = readFloat(canary?.allowancePercentString) ?? canary?.allowancePercent ?? 0;
  const [errors, total] = [recordName(app, objective, "errors"), recordName(app, objective, "total")];
  const ofTag = `{${key}=${JSON.stringify(tag)}}`;
  const own = `${errors}${ofTag} / ${total}${ofTag} - ${formatGeneral(percent / 100)}`;
  return `${own} > ignoring(${key}) sum(${errors}) / sum(${total})`;
}

function ruleObject(app: App, name: string, labels: Labels, groups: readonly Fields[]): SpecObject | undefined {
  if (groups.length === 0) return undefined;
  return {
    apiVersion: apiVersionOf(PrometheusRule),
    kind: PrometheusRule.kind,
    metadata: { name, namespace: app.namespace, labels },
    spec: { groups },
  };
}
