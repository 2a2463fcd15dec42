// The little of Prometheus that the operator asks for, over the demo's traffic: which alerts fire.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { APP } from "./objects.ts";
import type { Traffic } from "./traffic.ts";

export interface DemoPrometheus extends AsyncDisposable {
  readonly address: string;
}

const ALERT = "ShopErrorBudgetBurn";

export async function startPrometheus(traffic: Traffic): Promise<DemoPrometheus> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://demo");
    const isKnown =
      url.pathname === "/api/v1/query" && /ALERTS\{.*slo="true"/.test(url.searchParams.get("query") ?? "");
    response.writeHead(isKnown ? 200 : 400, { "content-type": "application/json" });
    response.end(
      JSON.stringify(isKnown ? answerFrom(traffic) : { status: "error", error: "only SLO alerts are known here" }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answerFrom(traffic: Traffic): unknown {
  const result = traffic.burning().map((tag) => ({ metric: { app: APP, tag, alertname: ALERT }, value: [0, "1"] }));
  return { status: "success", data: { resultType: "vector", result } };
}
