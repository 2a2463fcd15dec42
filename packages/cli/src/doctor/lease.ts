// Whether an operator leads. Its lease is Picchu's where it releases, so that both never act at once.
import { Lease } from "@chaski/kube";
import { LEASE, NAMESPACE, PICCHU_LEASE } from "@chaski/operator";
import type { Client } from "@chaski/runtime";
import { span } from "../views/times.ts";
import { unlessMissing } from "../cluster/unless-missing.ts";
import { failed, type Finding, ok, warning } from "./finding.ts";

const STALE_MS = 60_000;

export async function leaseFinding(client: Client, nowMs: number): Promise<Finding> {
  const found = await Promise.all(
    [PICCHU_LEASE, LEASE].map((name) => unlessMissing(client.of(Lease).get({ namespace: NAMESPACE, name }))),
  );
  const [lease] = found.flatMap((each) => each ?? []);
  const logs = `look at \`kubectl -n ${NAMESPACE} get pods\` and their logs`;
  if (!lease)
    return warning(
      "operator",
      `there is no lease in namespace ${NAMESPACE}: none has run here`,
      `start it, or ${logs}`,
    );
  const renewedMs = Date.parse(lease.spec?.renewTime ?? "");
  const holder = lease.spec?.holderIdentity || "nobody";
  return nowMs - renewedMs < STALE_MS
    ? ok("operator", `${holder} leads`)
    : failed(
        "operator",
        `the lease of ${holder} was renewed ${Number.isNaN(renewedMs) ? "never" : `${span(nowMs - renewedMs)} ago`}`,
        logs,
      );
}
