export interface KubeconfigParts {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

/** As JSON, which is YAML too. */
export function kubeconfigOf({ url, ca, token }: KubeconfigParts): string {
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      { name: "embedded", cluster: { server: url, "certificate-authority-data": Buffer.from(ca).toString("base64") } },
    ],
    users: [{ name: "admin", user: { token } }],
    contexts: [{ name: "embedded", context: { cluster: "embedded", user: "admin" } }],
    "current-context": "embedded",
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
