// What a test does with a control plane that runs, in whichever process it was started: all it needs is in the folder.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { Api, type ApiRequest } from "./api.ts";
import { type AuditEvent, type AuditFilter, readAuditLog } from "./audit-log.ts";
import { Authority, signToken } from "./credentials.ts";
import { compactEtcd } from "./etcd.ts";
import { ETCD_SOCKET } from "./flags.ts";
import { runKubectl } from "./kubectl.ts";
import { KubeUser, type UserCredentials } from "./kube-user.ts";
import { parseRequestCounts, type RequestCount } from "./request-counts.ts";

/** Where a control plane is; can be handed to another process. */
export interface Coordinates {
  readonly server: string;
  readonly folder: string;
  readonly assets: string;
}

export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

const RBAC = "/apis/rbac.authorization.k8s.io/v1";

export class ClusterAccess {
  readonly coordinates: Coordinates;
  readonly authority: Authority;
  readonly admin: KubeUser;
  readonly #ca: string;
  readonly #api: Api;

  protected constructor(coordinates: Coordinates, ca: string, adminCredentials: { cert: string; key: string }) {
    this.coordinates = coordinates;
    this.authority = new Authority(join(coordinates.folder, "pki"));
    this.#ca = ca;
    this.#api = new Api(coordinates.server, { ca, ...adminCredentials });
    this.admin = this.#user("admin", adminCredentials);
  }

  static async attach(coordinates: Coordinates): Promise<ClusterAccess> {
    return new ClusterAccess(coordinates, ...(await readAdmin(coordinates)));
  }

  /** `https://127.0.0.1:PORT` */
  get server(): string {
    return this.coordinates.server;
  }

  /** The certificate authority of the API server, as PEM. */
  get ca(): string {
    return this.#ca;
  }

  /** A request as admin; the answer's object, or an ApiError. */
  async call<T = Record<string, unknown>>(request: ApiRequest): Promise<T> {
    return this.#api.call<T>(request);
  }

  async isReady(): Promise<boolean> {
    const answer = await this.#api.send({ path: "/readyz", timeoutMs: 2_000 }).catch(() => undefined);
    return answer?.status === 200;
  }

  /** kubectl as admin, or as another user. */
  async kubectl(
    args: readonly string[],
    options: { readonly input?: string; readonly as?: KubeUser } = {},
  ): Promise<string> {
    const { as = this.admin, ...rest } = options;
    const { folder, assets } = this.coordinates;
    return runKubectl(args, { ...rest, assets, home: join(folder, "home"), kubeconfigPath: as.kubeconfigPath });
  }

  /** A user by client certificate. It may do nothing until `allow`, unless a group of it may. */
  async addUser(name: string, groups: readonly string[] = []): Promise<KubeUser> {
    const file = `user-${randomUUID()}`;
    await this.authority.issue(file, { commonName: name, organizations: groups });
    const [cert, key] = await Promise.all([this.authority.read(`${file}.crt`), this.authority.read(`${file}.key`)]);
    return this.#user(name, { cert, key });
  }

  /** A service account (made when it is missing) with a token of any lifetime. The API server caches a token that it has
   * accepted for 10 s. */
  async addServiceAccount(namespace: string, name: string, expiresInSeconds = 3_600): Promise<KubeUser> {
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts`;
    await this.#createIfMissing(path, { metadata: { name } });
    const account = await this.call<{ metadata: { uid: string } }>({ path: `${path}/${name}` });
    const signingKey = await this.authority.read("service-accounts.key");
    const token = signToken(signingKey, { namespace, name, uid: account.metadata.uid, expiresInSeconds });
    return this.#user(`system:serviceaccount:${namespace}:${name}`, { token });
  }

  /** Grants rules to a user, in the whole cluster or in one namespace. */
  async allow(user: KubeUser | string, rules: readonly PolicyRule[], namespace?: string): Promise<void> {
    const userName = typeof user === "string" ? user : user.name;
    const name = `test-${randomUUID()}`;
    const scope = namespace === undefined ? "" : `/namespaces/${namespace}`;
    const [role, roles] = namespace === undefined ? ["ClusterRole", "clusterroles"] : ["Role", "roles"];
    await this.call({ method: "POST", path: `${RBAC}${scope}/${roles}`, body: { metadata: { name }, rules } });
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: role, name };
    const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: userName }];
    const path = `${RBAC}${scope}/${roles.replace("roles", "rolebindings")}`;
    await this.call({ method: "POST", path, body: { metadata: { name }, roleRef, subjects } });
  }

  /** A namespace of one's own. */
  async createNamespace(prefix = "test"): Promise<string> {
    const name = `${prefix}-${randomUUID().slice(0, 8)}`;
    await this.call({ method: "POST", path: "/api/v1/namespaces", body: { metadata: { name } } });
    return name;
  }

  /** What the audit log has on completed requests (start the control plane with `audit`). */
  async auditEvents(filter: AuditFilter = {}): Promise<AuditEvent[]> {
    return readAuditLog(join(this.coordinates.folder, "audit.log"), filter);
  }

  async requestCounts(): Promise<RequestCount[]> {
    const { text } = await this.#api.send({ path: "/metrics" });
    return parseRequestCounts(text);
  }

  /** Makes etcd forget older revisions. The API server still serves what its watch cache holds: restart it after this
   * to have watches from before answered with 410. */
  async compact(): Promise<number> {
    return compactEtcd(join(this.coordinates.folder, ETCD_SOCKET));
  }

  close(): void {
    this.#api.close();
  }

  #user(name: string, credentials: UserCredentials): KubeUser {
    const { server, folder } = this.coordinates;
    return new KubeUser({ name, server, ca: this.#ca, credentials, folder });
  }

  async #createIfMissing(path: string, body: unknown): Promise<void> {
    await this.call({ method: "POST", path, body }).catch((error: unknown) => {
      if ((error as { status?: number }).status !== 409) throw error;
    });
  }
}

export async function readAdmin({ folder }: Coordinates): Promise<[string, { cert: string; key: string }]> {
  const authority = new Authority(join(folder, "pki"));
  const [ca, cert, key] = await Promise.all(["ca.crt", "admin.crt", "admin.key"].map((file) => authority.read(file)));
  if (!ca || !cert || !key) throw new Error(`${folder} holds no control plane`);
  return [ca, { cert, key }];
}
