// For teardown.real.test.ts: starts a control plane and waits to be killed.
import { startControlPlane } from "./control-plane.ts";

const plane = await startControlPlane({ name: "orphan" });
const pids = (["etcd", "kube-apiserver"] as const).map((name) => plane.part(name).pid);
console.log(JSON.stringify({ folder: plane.coordinates.folder, logs: plane.logs, pids }));
setInterval(() => {}, 60_000);
