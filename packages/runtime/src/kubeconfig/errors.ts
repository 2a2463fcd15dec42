export type KubeconfigProblem =
  | "BadBase64"
  | "BadCertificate"
  | "BadServer"
  | "BadYaml"
  | "ExecFailed"
  | "FileAccessRefused"
  | "MissingCluster"
  | "MissingUser"
  | "NoConfiguration"
  | "UnknownContext"
  | "Unreadable"
  | "Unsupported";

/** One sentence that names the file, the context or the user, and the way out. Never holds a credential. */
export class KubeconfigError extends Error {
  readonly reason: KubeconfigProblem;
  /** Stable, for logs and searches: `KUBECONFIG_BAD_YAML`. */
  readonly code: string;

  constructor(reason: KubeconfigProblem, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "KubeconfigError";
    this.reason = reason;
    this.code = `KUBECONFIG${reason.replaceAll(/[A-Z][a-z0-9]*/g, (word) => `_${word}`).toUpperCase()}`;
  }
}
