// Whether an operator leads, wherever it runs. Its lease is Picchu's where it releases, so that both never act at once.
import { Lease } from "@chaski/kube";
import { LEASE, PICCHU_LEASE } from "@chaski/operator";
import { type Client, Forbidden } from "@chaski/runtime";
import { unlessMissing } from "../cluster/unless-missing.ts";
import { span } from "../views/times.ts";
import { failed, type Finding, ok, warning } from "./finding.ts";

const STALE_MS = 60_000;
const NAMES = [PICCHU_LEASE, LEASE];

export async function leaseFindings(client: Client, home: string, nowMs: number): Promise<readonly Finding[]> {
  const leases = (await Promise.all(NAMES.map((name) => leasesOf(client, home, name)))).flat();
  const held = leases.filter((lease) => nowMs - renewedMs(lease) < STALE_MS);
  if (held.length > 0) return held.map((lease) => heldFinding(lease, held));
  const [last] = leases.toSorted((a, b) => renewedMs(b) - renewedMs(a));
  return [last ? staleFinding(last, nowMs) : absentFinding(home)];
}

/** In every namespace, or in the operator's own if we may not look further. */
async function leasesOf(client: Client, home: string, name: string): Promise<readonly Lease[]> {
  try {
    return (await client.of(Lease).list({ fieldSelector: `metadata.name=${name}` })).items;
  } catch (error) {
    if (!(error instanceof Forbidden)) throw error;
    const own = await unlessMissing(client.of(Lease).get({ namespace: home, name }));
    return own ? [own] : [];
  }
}

/** Of a lease that was never renewed, the beginning of time. */
function renewedMs({ spec }: Lease): number {
  return Date.parse(spec.renewTime ?? "") || 0;
}

function heldFinding({ metadata, spec }: Lease, held: readonly Lease[]): Finding {
  const who = `${spec.holderIdentity || "nobody"} leads, by the lease in namespace ${metadata.namespace}`;
  const isAlone = held.filter((other) => other.metadata.name === metadata.name).length === 1;
  return isAlone
    ? ok("operator", who)
    : failed("operator", `${who}, and so does another elsewhere`, "stop all but one: they undo each other's work");
}

function staleFinding(lease: Lease, nowMs: number): Finding {
  const ms = renewedMs(lease);
  const when = ms === 0 ? "never" : `${span(nowMs - ms)} ago`;
  const holder = lease.spec.holderIdentity || "nobody";
  return failed("operator", `the lease of ${holder} was renewed ${when}`, logsOf(lease.metadata.namespace ?? ""));
}

function absentFinding(home: string): Finding {
  return warning("operator", "there is no lease of one: none has run here", `start it, or ${logsOf(home)}`);
}

function logsOf(namespace: string): string {
  return `look at \`kubectl -n ${namespace} get pods\` and their logs`;
}
