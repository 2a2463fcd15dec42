// As many embedded clusters as the first argument says, in one process; its first line of output says that all are ready.
import { createEmbeddedCluster } from "@chaski/embedded";

const clusters = await Promise.all(Array.from({ length: Number(process.argv[2]) }, () => createEmbeddedCluster()));
for (const { transport } of clusters) {
  const { status } = await transport.send({ method: "GET", path: "/readyz", headers: {} });
  if (status !== 200) throw new Error(`/readyz answered with ${status}`);
}
console.log("ready");
process.stdin.resume();
