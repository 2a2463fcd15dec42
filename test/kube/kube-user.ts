import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KeyPair } from "@chaski/pki";

export type UserCredentials = KeyPair | { readonly token: string };

export interface KubeUserDefinition {
  readonly name: string;
  readonly server: string;
  readonly ca: string;
  readonly credentials: UserCredentials;
  /** Where kubeconfig files go. */
  readonly folder: string;
}

/** Someone whom the API server knows, with a kubeconfig that holds all it needs. */
export class KubeUser {
  readonly definition: KubeUserDefinition;
  readonly kubeconfig: string;
  readonly kubeconfigPath: string;

  constructor(definition: KubeUserDefinition) {
    this.definition = definition;
    this.kubeconfig = kubeconfigOf(definition);
    const file = `${definition.name}-${new URL(definition.server).port}.kubeconfig`;
    this.kubeconfigPath = join(definition.folder, file.replaceAll(/[^\w.-]/g, "_"));
    writeFileSync(this.kubeconfigPath, this.kubeconfig, { mode: 0o600 });
  }

  get name(): string {
    return this.definition.name;
  }

  /** The same user by way of another address, such as a proxy's. */
  through(server: string): KubeUser {
    return new KubeUser({ ...this.definition, server });
  }
}

/** JSON is YAML too. */
function kubeconfigOf({ name, server, ca, credentials }: KubeUserDefinition): string {
  const user =
    "token" in credentials
      ? { token: credentials.token }
      : { "client-certificate-data": base64(credentials.certificate), "client-key-data": base64(credentials.key) };
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "test", cluster: { server, "certificate-authority-data": base64(ca) } }],
    users: [{ name, user }],
    contexts: [{ name: "test", context: { cluster: "test", user: name } }],
    "current-context": "test",
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
