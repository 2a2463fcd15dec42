// An embedded API server in a process of its own; its first line of output says where it is.
import { createEmbeddedCluster } from "@chaski/embedded";

const cluster = await createEmbeddedCluster();
const { url, ca, token } = await cluster.listen();
console.log(JSON.stringify({ url, ca, token }));
process.once("SIGTERM", () => void cluster.close());
