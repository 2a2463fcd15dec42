import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { freePort } from "../kube/free-port.ts";
import { Part } from "../kube/part.ts";
import { until } from "../kube/until.ts";
import { Watchdog } from "../kube/watchdog.ts";
import { prometheusBinary } from "./binary.ts";

export interface PrometheusOptions {
  /** `host:port` of what is scraped. */
  readonly scrape: string;
  /** Rule groups, as in a PrometheusRule's spec. */
  readonly groups: readonly unknown[];
}

export interface Prometheus extends AsyncDisposable {
  readonly address: string;
  /** Evaluates these from now on. */
  setRules(groups: readonly unknown[]): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** The number of series that a query finds. */
  count(query: string): Promise<number>;
}

/** A Prometheus on loopback that scrapes and evaluates every second. */
export async function startPrometheus({ scrape, groups }: PrometheusOptions): Promise<Prometheus> {
  const command = await prometheusBinary();
  const folder = await mkdtemp(join(tmpdir(), "chaski-prometheus-"));
  const watchdog = new Watchdog(folder);
  await writeFile(join(folder, "rules.yaml"), stringify({ groups }));
  await writeFile(join(folder, "prometheus.yaml"), configuration(scrape));
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const part = new Part(
    {
      name: "prometheus",
      command,
      folder,
      logFile: join(folder, "prometheus.log"),
      flags: [
        "--config.file=prometheus.yaml",
        "--storage.tsdb.path=data",
        "--web.enable-lifecycle",
        `--web.listen-address=127.0.0.1:${port}`,
        `--web.console.templates=${folder}`,
        `--web.console.libraries=${folder}`,
      ],
    },
    watchdog,
  );
  part.start();
  const stop = async (): Promise<void> => {
    await part.kill();
    await watchdog.finish();
  };
  const isReady = (): Promise<true | undefined> =>
    fetch(`${address}/-/ready`).then(
      ({ ok }) => ok || undefined,
      () => undefined,
    );
  await until(isReady, { what: "Prometheus is ready", withinMs: 20_000 }).catch(async (error: unknown) => {
    const log = part.tail();
    await stop();
    throw new Error(`${String(error)}\n${log}`);
  });
  const setRules = async (next: readonly unknown[]): Promise<void> => {
    await writeFile(join(folder, "rules.yaml"), stringify({ groups: next }));
    const { ok, statusText } = await fetch(`${address}/-/reload`, { method: "POST" });
    if (!ok) throw new Error(`Prometheus refuses the rules: ${statusText}\n${part.tail()}`);
  };
  return {
    address,
    setRules,
    kill: () => part.kill(),
    count: (query) => count(address, query),
    [Symbol.asyncDispose]: stop,
  };
}

async function count(address: string, query: string): Promise<number> {
  const response = await fetch(`${address}/api/v1/query?${new URLSearchParams({ query }).toString()}`);
  const { data } = (await response.json()) as { readonly data: { readonly result: readonly unknown[] } };
  return data.result.length;
}

function configuration(scrape: string): string {
  return stringify({
    global: { scrape_interval: "1s", scrape_timeout: "1s", evaluation_interval: "1s" },
    rule_files: ["rules.yaml"],
    scrape_configs: [{ job_name: "app", static_configs: [{ targets: [scrape] }] }],
  });
}
