// The modules of undici that we use, by themselves: the whole of it (fetch, WebSockets, caches, mocks) takes longer to
// load than everything else that a question to a cluster needs.
declare module "undici/lib/dispatcher/client.js" {
  import { Client } from "undici";
  export default Client;
}
declare module "undici/lib/dispatcher/proxy-agent.js" {
  import { ProxyAgent } from "undici";
  export default ProxyAgent;
}
declare module "undici/lib/core/errors.js" {
  import { errors } from "undici";
  export default errors;
}
declare module "undici/lib/dispatcher/dispatcher.js" {
  import { Dispatcher } from "undici";
  export default Dispatcher;
}
declare module "undici/lib/api/api-connect.js" {
  import type { Dispatcher } from "undici";
  const connect: Dispatcher["connect"];
  export default connect;
}
declare module "undici/lib/core/connect.js" {
  import { buildConnector } from "undici";
  export default buildConnector;
}
