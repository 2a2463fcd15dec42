// To ask a cluster something and go: the client, and where it is found. Loads in a moment.
export * from "./client/index.ts";
export * from "./kubeconfig/index.ts";
