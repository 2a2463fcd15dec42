import type { Subject } from "../judge.ts";

/** §12.5. The SLO query is the same for all apps; that of canary alerts is about one tag. */
export function alertQuery({ tag, isCanaryOnly }: Subject): string {
  const selector = isCanaryOnly
    ? ` tag=${JSON.stringify(tag)},canary="true",alertstate="firing"`
    : `slo="true",alertstate="firing"`;
  return `sum by(tag,app,alertname)(ALERTS{${selector}})`;
}
