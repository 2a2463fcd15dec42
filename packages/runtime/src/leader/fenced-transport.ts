import type { Transport } from "@chaski/kube";

export class NotLeadingError extends Error {
  readonly code = "NotLeading";

  constructor() {
    super("this replica does not lead (any more): the write was not sent");
  }
}

/** Lets writes through only while we lead, asked at the moment at which each is sent. */
export function fencedTransport(transport: Transport, isLeading: () => boolean): Transport {
  return {
    send: (request) =>
      request.method === "GET" || isLeading() ? transport.send(request) : Promise.reject(new NotLeadingError()),
    close: () => transport.close(),
  };
}
