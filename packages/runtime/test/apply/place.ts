import { randomUUID } from "node:crypto";
import { RealClock, seededRandom } from "@chaski/clock";
import { createEmbeddedCluster } from "@chaski/embedded";
import type { Transport } from "@chaski/kube";
import { type Client, connect, createClient, kubeconfigFromData } from "@chaski/runtime";
import { type SharedPlane, sharedControlPlane, until } from "@chaski/test/kube";

/** An API server that the cases run on, for two users: the applier, and the test itself. */
export interface Place {
  applier(): Promise<Client>;
  witness(): Promise<Client>;
  /** What the server answered the applier so far, in the order of arrival; lists and watches are the caches'. */
  requests(): Promise<readonly string[]>;
}

const options = { clock: new RealClock(), random: seededRandom(1) };

export async function realPlace(on: SharedPlane): Promise<Place> {
  const plane = await sharedControlPlane(on);
  const user = await plane.addUser(`applier-${randomUUID().slice(0, 8)}`, ["system:masters"]);
  return {
    applier: () => clientOf(user.kubeconfig),
    witness: () => clientOf(plane.admin.kubeconfig),
    async requests() {
      const marker = `/version?marker=${randomUUID()}`;
      const client = await clientOf(user.kubeconfig);
      await client.raw({ method: "GET", path: marker });
      await client.close();
      const events = await until(
        async () => {
          const logged = await plane.auditEvents({ user: user.name });
          return logged.some(({ requestURI }) => requestURI === marker) ? logged : undefined;
        },
        { what: "the audit log has come so far" },
      );
      return events
        .filter(({ verb, requestURI }) => !["list", "watch"].includes(verb) && !requestURI.startsWith("/version"))
        .map(({ verb, requestURI }) => `${verb} ${requestURI}`);
    },
  };
}

export async function embeddedPlace(): Promise<Place> {
  const { transport } = await createEmbeddedCluster();
  const seen: string[] = [];
  const counted: Transport = {
    send(request) {
      const isCacheRead = request.method === "GET" && /[?&](?:watch|limit)=/.test(request.path);
      const verb = request.method === "PUT" ? "update" : request.method.toLowerCase();
      if (!isCacheRead) seen.push(`${verb} ${request.path}`);
      return transport.send(request);
    },
    close: () => transport.close(),
  };
  const client = (through: Transport): Client => createClient({ ...options, cluster: "embedded", transport: through });
  return {
    applier: () => Promise.resolve(client(counted)),
    witness: () => Promise.resolve(client(transport)),
    requests: () => Promise.resolve([...seen]),
  };
}

export async function clientOf(kubeconfig: string): Promise<Client> {
  const connection = await kubeconfigFromData(Buffer.from(kubeconfig), "test").connection();
  return connect(connection, options);
}
