// A Deployment's container as a process of this machine, since no kubelet runs here: its own arguments and environment,
// the token of its service account, its ConfigMap as files. What a pod network would do is done by ports.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createAuthority } from "@chaski/pki";
import { type ClusterAccess, freePort, until } from "@chaski/test/kube";

export interface DeployedProcess extends AsyncDisposable {
  /** What it has logged so far. */
  readonly log: readonly string[];
  /** Brings the ConfigMap as it is now, as a kubelet does after a while. */
  refreshConfig(): Promise<void>;
}

interface Deployment {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly serviceAccountName: string;
        readonly containers: readonly [
          {
            readonly args: readonly string[];
            readonly env: readonly { readonly name: string; readonly value: string }[];
            readonly volumeMounts: readonly [{ readonly mountPath: string }];
          },
        ];
        readonly volumes: readonly [{ readonly configMap: { readonly name: string } }];
      };
    };
  };
}

interface Place {
  readonly cluster: ClusterAccess;
  readonly namespace: string;
  readonly folder: string;
  readonly program: string;
}

export async function startDeployed(name: string, place: Place): Promise<DeployedProcess> {
  const { cluster, namespace, folder, program } = place;
  const json = await cluster.kubectl(["-n", namespace, "get", "deployment", name, "-o", "json"]);
  const { serviceAccountName, containers, volumes } = (JSON.parse(json) as Deployment).spec.template.spec;
  const [{ args, env, volumeMounts }] = containers;
  const refreshConfig = (): Promise<void> => writeConfig(place, volumes[0].configMap.name);
  await refreshConfig();
  await writeCertificates(folder);
  const [webhookPort, healthPort] = [await freePort(), await freePort()];
  await webhooksByUrl(cluster, webhookPort);
  const account = await cluster.addServiceAccount(namespace, serviceAccountName);
  const own = { "webhook-port": webhookPort, "health-port": healthPort, certificates: folder, "metrics-addr": "0" };
  const flags = Object.entries(own).map(([flag, value]) => `--${flag}=${value}`);
  const mounted = args.map((arg) => arg.replace(volumeMounts[0].mountPath, folder));
  const child = spawn(process.execPath, [program, ...mounted, ...flags, `--kubeconfig=${account.kubeconfigPath}`], {
    env: { PATH: process.env["PATH"], ...Object.fromEntries(env.map((each) => [each.name, each.value])) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const log: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => void log.push(text));
  const isReady = async (): Promise<true | undefined> =>
    (await fetch(`http://127.0.0.1:${healthPort}/readyz`).catch(() => undefined))?.ok || undefined;
  await until(isReady, { what: "the operator is ready", withinMs: 60_000 });
  return { log, refreshConfig, [Symbol.asyncDispose]: () => ended(child) };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.on("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}

async function writeConfig({ cluster, namespace, folder }: Place, name: string): Promise<void> {
  const json = await cluster.kubectl(["-n", namespace, "get", "configmap", name, "-o", "json"]);
  const { data } = JSON.parse(json) as { readonly data: Readonly<Record<string, string>> };
  await mkdir(folder, { recursive: true });
  for (const [file, text] of Object.entries(data)) await writeFile(join(folder, file), text);
}

async function writeCertificates(folder: string): Promise<void> {
  const authority = createAuthority({ name: "test", clock: { now: () => new Date().getTime() }, days: 1 });
  const served = authority.issue({ commonName: "webhook", usage: "server", ipAddresses: ["127.0.0.1"], days: 1 });
  await writeFile(join(folder, "tls.crt"), served.certificate);
  await writeFile(join(folder, "tls.key"), served.key);
  await writeFile(join(folder, "ca.crt"), authority.certificate);
}

interface Configuration {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly webhooks: readonly {
    readonly name: string;
    readonly clientConfig: { readonly service?: { readonly path: string } };
  }[];
}

/** The API server finds no Service here. */
async function webhooksByUrl(cluster: ClusterAccess, port: number): Promise<void> {
  const kinds = "mutatingwebhookconfigurations,validatingwebhookconfigurations";
  const json = await cluster.kubectl(["get", kinds, "-l", "app.kubernetes.io/name=chaski", "-o", "json"]);
  for (const { kind, metadata, webhooks } of (JSON.parse(json) as { readonly items: readonly Configuration[] }).items) {
    const patched = webhooks.map(({ name, clientConfig }) => ({
      name,
      clientConfig: { service: null, url: `https://127.0.0.1:${port}${clientConfig.service?.path}` },
    }));
    const patch = JSON.stringify({ webhooks: patched });
    await cluster.kubectl(["patch", kind.toLowerCase(), metadata.name, "--type=strategic", "-p", patch]);
  }
}
