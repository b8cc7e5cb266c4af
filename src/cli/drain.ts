import type { Server } from "node:http";
import { Server as SocketServer } from "node:net";
import { SECOND } from "@/core/time";

/** By then a request that was sent before its client could know of the end has arrived. */
const LAST_CALL_MS = SECOND;

/**
 * Takes no new connections, ends each with what it is answered next, or once nothing is asked on it, and resolves when
 * all are ended. What is asked while a connection stands is answered.
 */
export function drain(server: Server, lastCallMs = LAST_CALL_MS): Promise<void> {
  return new Promise((resolve) => {
    server.prependListener("request", (_request, response) => {
      response.shouldKeepAlive = false;
    });
    const lastCalls = setInterval(() => server.closeIdleConnections(), lastCallMs);
    // Node's own way for HTTP would at once reset whatever connection has its next request on its way.
    SocketServer.prototype.close.call(server, () => {
      clearInterval(lastCalls);
      resolve();
    });
  });
}
