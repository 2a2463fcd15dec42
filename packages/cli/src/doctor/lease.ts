// Whether an operator leads.
import { Lease } from "@chaski/kube";
import { LEASE, NAMESPACE } from "@chaski/operator";
import type { Client } from "@chaski/runtime";
import { span } from "../views/times.ts";
import { missing } from "./definitions.ts";
import { failed, type Finding, ok, warning } from "./finding.ts";

const STALE_MS = 60_000;

export async function leaseFinding(client: Client, nowMs: number): Promise<Finding> {
  const lease = await client.of(Lease).get({ namespace: NAMESPACE, name: LEASE }).catch(missing);
  const logs = `look at \`kubectl -n ${NAMESPACE} get pods\` and their logs`;
  if (!lease) return warning("operator", `no lease ${NAMESPACE}/${LEASE}: none has run here`, `start it, or ${logs}`);
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
