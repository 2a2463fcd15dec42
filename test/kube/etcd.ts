import { request } from "node:http";

/** etcd's JSON gateway on its socket. */
async function call<T>(socketPath: string, path: string, body: unknown): Promise<T> {
  const text = await new Promise<string>((resolve, reject) => {
    const sent = request({ socketPath, path, method: "POST", headers: { host: "localhost" } }, (response) => {
      let answer = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (answer += chunk));
      response.on("end", () =>
        response.statusCode === 200
          ? resolve(answer)
          : reject(new Error(`etcd ${path}: ${response.statusCode} ${answer}`)),
      );
    });
    sent.on("error", reject).end(JSON.stringify(body));
  });
  return JSON.parse(text) as T;
}

async function etcdRevision(socketPath: string): Promise<number> {
  const { header } = await call<{ header: { revision: string } }>(socketPath, "/v3/kv/range", {
    key: Buffer.from("compact_rev_key").toString("base64"),
  });
  return Number(header.revision);
}

/** Forgets every older revision, so that reads at one of them end with 410. */
export async function compactEtcd(socketPath: string): Promise<number> {
  const revision = await etcdRevision(socketPath);
  await call(socketPath, "/v3/kv/compaction", { revision, physical: true });
  return revision;
}
