/** How many requests an API server has answered, by what they were. */
export interface RequestCount {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly code: number;
  readonly count: number;
}

/** Reads `apiserver_request_total` out of the metrics page. */
export function parseRequestCounts(metrics: string): RequestCount[] {
  return metrics
    .split("\n")
    .filter((line) => line.startsWith("apiserver_request_total{"))
    .map((line) => {
      const labels = new Map([...line.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]));
      const label = (name: string): string => labels.get(name) ?? "";
      return {
        verb: label("verb"),
        group: label("group"),
        resource: label("resource"),
        subresource: label("subresource"),
        code: Number(label("code")),
        count: Number(line.slice(line.lastIndexOf(" ") + 1)),
      };
    });
}
