// networking.istio.io HTTPRoute, as far as we write it.
import type { HttpPortFault } from "@chaski/api";

export interface HttpMatch {
  readonly authority?: { readonly regex: string };
  readonly gateways?: readonly string[];
  readonly headers?: Readonly<Record<string, { readonly exact?: string; readonly regex?: string }>>;
  readonly port?: number;
  readonly uri?: { readonly prefix: string };
}

export interface HttpRoute {
  readonly name: string;
  readonly match: readonly HttpMatch[];
  readonly route: readonly {
    readonly destination: Readonly<Record<string, unknown>>;
    readonly weight: number;
  }[];
  readonly timeout?: string;
  readonly retries?: Readonly<Record<string, unknown>>;
  readonly fault?: HttpPortFault["fault"];
}
