import type { RequestNote } from "../client/requester.ts";
import type { Metrics } from "./metrics.ts";

/** `rest_client_requests_total` as client-go has it; the host is the cluster's name. */
export function clientMetrics(metrics: Metrics): (note: RequestNote) => void {
  const requests = metrics.counter({
    name: "rest_client_requests_total",
    help: "HTTP requests by status code, method and host",
    labels: ["code", "method", "host"],
  });
  return ({ status, method, cluster }) =>
    requests.increase({ code: status === undefined ? "<error>" : String(status), method, host: cluster });
}

export function leaderMetrics(metrics: Metrics, name: string, isLeading: () => boolean): void {
  metrics.gauge(
    { name: "leader_election_master_status", help: "1 on the replica that leads, 0 on the others", labels: ["name"] },
    (gauge) => gauge.set({ name }, isLeading() ? 1 : 0),
  );
}
