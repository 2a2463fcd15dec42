import type { Readable } from "node:stream";
import type { buildConnector } from "undici";
import connectorOf from "undici/lib/core/connect.js";

/** Connections whose chunks reach their reader in the turn in which they arrive. */
export function eagerConnector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = connectorOf(options);
  return (to, callback) =>
    connect(to, (...[error, socket]) => {
      if (error) return callback(error, null);
      handOver(socket);
      callback(null, socket);
    });
}

/**
 * A stream with a listener to `readable` queues each chunk and tells of it in a later tick. Here the listener is told at
 * once and may take the chunk; what it does not take goes the stream's own way, and so does whatever comes behind it.
 */
export function handOver(socket: Readable): void {
  const [push, read] = [socket.push.bind(socket), socket.read.bind(socket)];
  let offered: unknown = null;
  socket.push = (chunk, encoding) => {
    if (chunk === null || socket.readableLength > 0) return push(chunk, encoding);
    offered = chunk;
    socket.emit("readable");
    const left = offered;
    offered = null;
    return left === null || push(left, encoding);
  };
  socket.read = (size) => {
    if (offered === null) return read(size) as unknown;
    const chunk = offered;
    offered = null;
    return chunk;
  };
}
