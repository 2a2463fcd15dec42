import type { Transport } from "@chaski/kube";

export class NotLeadingError extends Error {
  readonly code = "NotLeading";

  constructor() {
    super("this replica does not lead (any more): the write was not sent");
  }
}

/**
 * Lets writes through only while we lead. Asked again when the first byte goes out: a request may have waited for its
 * turn or for a connection, and the whole process may have been stopped meanwhile.
 */
export function fencedTransport(transport: Transport, isLeading: () => boolean): Transport {
  const check = (): void => {
    if (!isLeading()) throw new NotLeadingError();
  };
  return {
    send: async (request) => {
      if (request.method === "GET") return transport.send(request);
      check();
      return transport.send({ ...request, onStart: check });
    },
    close: () => transport.close(),
  };
}
