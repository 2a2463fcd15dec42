// The versions of the real parts; the cache folder is named after them.
export const KUBERNETES_VERSION = "v1.35.4";
export const ETCD_VERSION = "v3.6.16";
export const KWOK_VERSION = "v0.8.0";

export const BINARIES = [
  "etcd",
  "kube-apiserver",
  "kube-controller-manager",
  "kube-scheduler",
  "kubectl",
  "kwok",
] as const;
export type Binary = (typeof BINARIES)[number];
