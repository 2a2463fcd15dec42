export { type HttpsCredentials, httpsTransport } from "./https-transport.ts";
export { type Answer, Requests, type SendOptions } from "./requests.ts";
export { compare, type Disagreement, type Servers } from "./run.ts";
