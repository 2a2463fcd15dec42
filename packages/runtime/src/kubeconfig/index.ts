export { type Connection, type ConnectOptions, connect } from "./connection.ts";
export { KubeconfigError, type KubeconfigProblem } from "./errors.ts";
export {
  type ConnectionSource,
  defaultConnection,
  type Kubeconfig,
  kubeconfigFromData,
  loadKubeconfig,
} from "./load.ts";
export { type Machine, thisMachine } from "./machine.ts";
