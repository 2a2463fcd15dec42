// What a test does with a control plane that runs, in whichever process it was started: all it needs is in the folder.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { Api, ApiError, type ApiRequest } from "./api.ts";
import { type AuditEvent, type AuditFilter, readAuditLog } from "./audit-log.ts";
import { type Credentials, issueUser, readCredentials } from "./credentials.ts";
import { compactEtcd } from "./etcd.ts";
import { ETCD_SOCKET } from "./flags.ts";
import { installCrdFiles } from "./install-crds.ts";
import { KubeUser, type UserCredentials } from "./kube-user.ts";
import { runKubectl } from "./kubectl.ts";
import { parseRequestCounts, type RequestCount } from "./request-counts.ts";
import { signToken } from "./service-account-token.ts";
import { type CrdProject, upstreamCrds } from "./upstream-crds.ts";

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

const RBAC_GROUP = "rbac.authorization.k8s.io";

export class ClusterAccess {
  readonly coordinates: Coordinates;
  readonly admin: KubeUser;
  readonly #credentials: Credentials;
  readonly #api: Api;

  protected constructor(coordinates: Coordinates, credentials: Credentials) {
    this.coordinates = coordinates;
    this.#credentials = credentials;
    this.#api = new Api(coordinates.server, { ca: this.ca, ...credentials.admin });
    this.admin = this.#user("admin", credentials.admin);
  }

  static async attach(coordinates: Coordinates): Promise<ClusterAccess> {
    return new ClusterAccess(coordinates, await readCredentials(coordinates.folder));
  }

  /** `https://127.0.0.1:PORT` */
  get server(): string {
    return this.coordinates.server;
  }

  /** The certificate of the authority behind the API server, as PEM. */
  get ca(): string {
    return this.#credentials.authority.certificate;
  }

  /** A request as admin; the answer's object, or an ApiError. */
  async call<T = Record<string, unknown>>(request: ApiRequest): Promise<T> {
    return this.#api.call<T>(request);
  }

  async isReady(): Promise<boolean> {
    const answer = await this.#api.send({ path: "/readyz", timeoutMs: 2_000 }).catch(() => undefined);
    return answer?.status === 200;
  }

  /** kubectl as admin, or as another user; its standard output. */
  async kubectl(
    args: readonly string[],
    { as = this.admin, input }: { readonly as?: KubeUser; readonly input?: string } = {},
  ): Promise<string> {
    const { folder, assets } = this.coordinates;
    const options = { assets, home: join(folder, "home"), kubeconfigPath: as.kubeconfigPath };
    return runKubectl(args, input === undefined ? options : { ...options, input });
  }

  /** A user by client certificate. It may do nothing until `allow`, unless a group of it may. */
  async addUser(name: string, groups: readonly string[] = []): Promise<KubeUser> {
    return this.#user(name, issueUser(this.#credentials.authority, name, groups));
  }

  /**
   * A service account (made when it is missing) with a token of any lifetime. The API server remembers for 10 s that a
   * token was good.
   */
  async addServiceAccount(namespace: string, name: string, expiresInSeconds = 3_600): Promise<KubeUser> {
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts`;
    await this.createIfMissing(path, { metadata: { name } });
    const account = await this.call<{ metadata: { uid: string } }>({ path: `${path}/${name}` });
    const claims = { namespace, name, uid: account.metadata.uid, expiresInSeconds };
    const token = signToken(this.#credentials.serviceAccountKey, claims);
    return this.#user(`system:serviceaccount:${namespace}:${name}`, { token });
  }

  /** Grants rules to a user, in the whole cluster or in one namespace. */
  async allow(user: KubeUser | string, rules: readonly PolicyRule[], namespace?: string): Promise<void> {
    const userName = typeof user === "string" ? user : user.name;
    const name = `test-${randomUUID()}`;
    const isClusterWide = namespace === undefined;
    const path = `/apis/${RBAC_GROUP}/v1${isClusterWide ? "/cluster" : `/namespaces/${namespace}/`}`;
    const roleRef = { apiGroup: RBAC_GROUP, kind: isClusterWide ? "ClusterRole" : "Role", name };
    const subjects = [{ apiGroup: RBAC_GROUP, kind: "User", name: userName }];
    await this.call({ method: "POST", path: `${path}roles`, body: { metadata: { name }, rules } });
    await this.call({ method: "POST", path: `${path}rolebindings`, body: { metadata: { name }, roleRef, subjects } });
  }

  /** A namespace of one's own. */
  async createNamespace(prefix = "test"): Promise<string> {
    const name = `${prefix}-${randomUUID().slice(0, 8)}`;
    await this.call({ method: "POST", path: "/api/v1/namespaces", body: { metadata: { name } } });
    return name;
  }

  async createIfMissing(path: string, body: unknown): Promise<void> {
    await this.call({ method: "POST", path, body }).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.status === 409)) throw error;
    });
  }

  /** The upstream projects' own CRDs, served when this returns. */
  async installCrds(...projects: readonly CrdProject[]): Promise<void> {
    const files = await Promise.all(projects.map((project) => upstreamCrds(project)));
    await installCrdFiles(this, files.flat());
  }

  /** What the audit log has on completed requests (start the control plane with `audit`). */
  async auditEvents(filter: AuditFilter = {}): Promise<AuditEvent[]> {
    return readAuditLog(join(this.coordinates.folder, "audit.log"), filter);
  }

  /** Since the API server's start; refused requests are not among them. */
  async requestCounts(): Promise<RequestCount[]> {
    const { text } = await this.#api.send({ path: "/metrics" });
    return parseRequestCounts(text);
  }

  /**
   * Makes etcd forget older revisions; returns the present one. The API server still serves what its watch cache holds:
   * restart it after this to have watches from before answered with 410.
   */
  async compact(): Promise<number> {
    return compactEtcd(join(this.coordinates.folder, ETCD_SOCKET));
  }

  close(): void {
    this.#api.close();
  }

  #user(name: string, credentials: UserCredentials): KubeUser {
    const { server, folder } = this.coordinates;
    return new KubeUser({ name, server, ca: this.ca, credentials, folder });
  }
}
