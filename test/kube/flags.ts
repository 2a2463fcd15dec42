// How each part of a control plane is started. Loopback only; what tests never look at is switched off.
import { join } from "node:path";
import { pkiFile } from "./credentials.ts";
import { SERVICE_ACCOUNT_ISSUER } from "./service-account-token.ts";

/** etcd wants its sockets named like `host:port`, and opens them in its working folder. */
export const ETCD_SOCKET = "etcd:1";
const PEER_SOCKET = "peer:1";

export function etcdFlags(folder: string): string[] {
  return [
    `--data-dir=${join(folder, "etcd")}`,
    `--listen-client-urls=unix://${ETCD_SOCKET}`,
    `--advertise-client-urls=unix://${ETCD_SOCKET}`,
    `--listen-peer-urls=unix://${PEER_SOCKET}`,
    `--initial-advertise-peer-urls=unix://${PEER_SOCKET}`,
    `--initial-cluster=default=unix://${PEER_SOCKET}`,
    "--unsafe-no-fsync",
    "--log-level=warn",
  ];
}

export interface ApiServerFlags {
  readonly folder: string;
  readonly port: number;
  readonly hasAudit: boolean;
  /** Without the controller manager nobody makes the `default` service account that every pod would need. */
  readonly hasServiceAccounts: boolean;
}

export function apiServerFlags({ folder, port, hasAudit, hasServiceAccounts }: ApiServerFlags): string[] {
  const pki = (file: string): string => pkiFile(folder, file);
  return [
    `--etcd-servers=unix://${join(folder, ETCD_SOCKET)}`,
    "--bind-address=127.0.0.1",
    "--advertise-address=127.0.0.1",
    `--secure-port=${port}`,
    // The Service `kubernetes` may not have an endpoint on loopback.
    "--endpoint-reconciler-type=none",
    `--cert-dir=${join(folder, "pki")}`,
    `--tls-cert-file=${pki("apiserver.crt")}`,
    `--tls-private-key-file=${pki("apiserver.key")}`,
    `--client-ca-file=${pki("ca.crt")}`,
    `--service-account-issuer=${SERVICE_ACCOUNT_ISSUER}`,
    `--service-account-key-file=${pki("service-accounts.pub")}`,
    `--service-account-signing-key-file=${pki("service-accounts.key")}`,
    "--service-cluster-ip-range=10.0.0.0/16",
    "--authorization-mode=RBAC",
    "--allow-privileged=true",
    "--profiling=false",
    ...(hasServiceAccounts ? [] : ["--disable-admission-plugins=ServiceAccount"]),
    ...(hasAudit ? [`--audit-policy-file=${join(folder, "audit-policy.json")}`] : []),
    ...(hasAudit ? [`--audit-log-path=${join(folder, "audit.log")}`] : []),
  ];
}

export interface ControllerManagerFlags {
  readonly folder: string;
  readonly kubeconfigPath: string;
  /** Without anyone to renew their leases, nodes would be declared lost and their pods unready. */
  readonly hasKubelets: boolean;
}

export function controllerManagerFlags({ folder, kubeconfigPath, hasKubelets }: ControllerManagerFlags): string[] {
  return [
    `--kubeconfig=${kubeconfigPath}`,
    `--service-account-private-key-file=${pkiFile(folder, "service-accounts.key")}`,
    `--root-ca-file=${pkiFile(folder, "ca.crt")}`,
    `--controllers=*${hasKubelets ? "" : ",-node-lifecycle-controller,-taint-eviction-controller"}`,
    "--leader-elect=false",
    "--secure-port=0",
    "--kube-api-qps=300",
    "--kube-api-burst=600",
  ];
}

export function schedulerFlags(kubeconfigPath: string): string[] {
  return [
    `--kubeconfig=${kubeconfigPath}`,
    "--leader-elect=false",
    "--secure-port=0",
    "--kube-api-qps=300",
    "--kube-api-burst=600",
  ];
}

export function kwokFlags(kubeconfigPath: string, stages: string): string[] {
  return [
    `--kubeconfig=${kubeconfigPath}`,
    `--config=${stages}`,
    "--manage-all-nodes",
    "--node-lease-duration-seconds=40",
  ];
}
