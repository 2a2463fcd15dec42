import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Exporter extends AsyncDisposable {
  /** `host:port`, for a scrape. */
  readonly address: string;
  /** Errors among 1000 requests, by version. */
  readonly errors: Record<string, number>;
}

/** What an app with several versions would export. */
export async function startExporter(errors: Record<string, number>): Promise<Exporter> {
  const server = createServer((_request, response) => {
    const lines = Object.entries(errors).flatMap(([version, ofThousand]) => [
      `requests_total{version="${version}",code="200"} ${1_000 - ofThousand}`,
      `requests_total{version="${version}",code="500"} ${ofThousand}`,
    ]);
    response.end(`${lines.join("\n")}\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const { port } = server.address() as AddressInfo;
  return { address: `127.0.0.1:${port}`, errors, [Symbol.asyncDispose]: stop };
}

/** An objective over what it exports. */
export const availability = {
  name: "availability",
  enabled: true,
  serviceLevelIndicator: {
    tagKey: "version",
    totalQuery: "sum by (version) (requests_total)",
    errorQuery: 'sum by (version) (requests_total{code="500"})',
    canary: { enabled: true, allowancePercentString: "1", failAfter: "1s" },
  },
};
