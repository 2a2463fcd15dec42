// Whether the server answers, as what version, and whether its clock is ours.
import type { Clock } from "@chaski/clock";
import type { Transport } from "@chaski/kube";
import type { Client } from "@chaski/runtime";
import { failed, type Finding, ok, warning } from "./finding.ts";

/** The oldest minor version that every object of ours was tried on. */
const OLDEST_MINOR = 31;
/** A Date header has whole seconds, and leases last 15. */
const SKEW_TOLERATED_MS = 2_000;
const SKEW_HARMFUL_MS = 10_000;

/** Notes the server's own time on the way. */
export class ServerTime {
  #skewMs: number | undefined;

  wrap(transport: Transport, clock: Pick<Clock, "now">): Transport {
    return {
      close: () => transport.close(),
      send: async (request) => {
        const response = await transport.send(request);
        const date = Date.parse(response.headers["date"] ?? "");
        // The header is cut to the second: on average half of one has passed.
        if (!Number.isNaN(date)) this.#skewMs = date + 500 - clock.now();
        return response;
      },
    };
  }

  finding(subject: string): readonly Finding[] {
    if (this.#skewMs === undefined) return [];
    const seconds = `${(Math.abs(this.#skewMs) / 1000).toFixed(1)} s ${this.#skewMs > 0 ? "ahead of" : "behind"} this machine`;
    if (Math.abs(this.#skewMs) <= SKEW_TOLERATED_MS) return [ok(subject, "its clock agrees with this machine's")];
    const fix = "synchronise the clocks by NTP: leases and schedules go by them";
    const make = Math.abs(this.#skewMs) > SKEW_HARMFUL_MS ? failed : warning;
    return [make(subject, `its clock is ${seconds}`, fix)];
  }
}

export async function versionFinding(client: Pick<Client, "raw">, subject: string): Promise<Finding> {
  const answer: { readonly gitVersion?: string; readonly minor?: string } = JSON.parse(
    await client.raw({ method: "GET", path: "/version" }),
  );
  const minor = Number.parseInt(answer.minor ?? "", 10);
  const message = `answers as Kubernetes ${answer.gitVersion ?? "of an unknown version"}`;
  return minor < OLDEST_MINOR
    ? warning(subject, message, `upgrade it to 1.${OLDEST_MINOR} or newer`)
    : ok(subject, message);
}
