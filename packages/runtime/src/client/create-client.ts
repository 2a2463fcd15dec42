import type { Clock, Random } from "@chaski/clock";
import type { Kind, KubeObject, Transport } from "@chaski/kube";
import type { Rate } from "../queue/token-bucket.ts";
import type { CallOptions, Client, KindClient, ServedResource } from "./client.ts";
import type { Credentials, Identity } from "./credentials.ts";
import { discover, servesKind } from "./discovery.ts";
import { KindRequests } from "./kind-client.ts";
import { RequestLimiter } from "./request-limiter.ts";
import { Requester, type RequesterSettings, type RequestNote } from "./requester.ts";

export interface ClientSettings {
  /** Names the cluster in messages and metrics. */
  readonly cluster: string;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly credentials?: Credentials;
  /** Where the settings come from, for messages: `context west of /root/.kube/config`. */
  readonly origin?: string;
  readonly impersonate?: Identity;
  /** None: every request goes out at once, and the server's own fairness decides. */
  readonly rateLimit?: Rate;
  /** Called once for every HTTP exchange. */
  readonly onRequest?: (note: RequestNote) => void;
  readonly userAgent?: string;
}

/** One immutable connection to one cluster, over the network or to a server in the process. */
export function createClient(settings: ClientSettings): Client {
  const { rateLimit, impersonate, userAgent = "chaski", ...rest } = settings;
  const own: RequesterSettings = {
    ...rest,
    ...(rateLimit && { limiter: new RequestLimiter(settings.clock, rateLimit) }),
    headers: { "user-agent": userAgent },
  };
  return new ConnectedClient(impersonate ? withIdentity(own, impersonate) : own);
}

const RAW_VERB = { GET: "get", POST: "create", PUT: "update", PATCH: "patch", DELETE: "delete" } as const;

class ConnectedClient implements Client {
  readonly #settings: RequesterSettings;
  readonly #requester: Requester;

  constructor(settings: RequesterSettings) {
    this.#settings = settings;
    this.#requester = new Requester(settings);
  }

  get cluster(): string {
    return this.#settings.cluster;
  }

  of<T extends KubeObject>(kind: Kind<T>): KindClient<T> {
    return new KindRequests(this.#requester, kind);
  }

  raw(request: Parameters<Client["raw"]>[0], options?: CallOptions): Promise<string> {
    return this.#requester.text({ verb: RAW_VERB[request.method], ...request }, options);
  }

  serves(kind: Kind, options?: CallOptions): Promise<boolean> {
    return servesKind(this.#requester, kind, options);
  }

  discover(options?: CallOptions): Promise<readonly ServedResource[]> {
    return discover(this.#requester, options);
  }

  as(identity: Identity): Client {
    return new ConnectedClient(withIdentity(this.#settings, identity));
  }

  close(): Promise<void> {
    return this.#settings.transport.close();
  }
}

function withIdentity(settings: RequesterSettings, identity: Identity): RequesterSettings {
  const extra = Object.entries(identity.extra ?? {}).map(([name, values]): [string, readonly string[]] => [
    `impersonate-extra-${encodeURIComponent(name).toLowerCase()}`,
    values,
  ]);
  return {
    ...settings,
    headers: {
      ...settings.headers,
      "impersonate-user": identity.user,
      ...(identity.uid !== undefined && { "impersonate-uid": identity.uid }),
    },
    repeatedHeaders: { "impersonate-group": identity.groups ?? [], ...Object.fromEntries(extra) },
  };
}
