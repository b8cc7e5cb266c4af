import type { RequestListener, Server } from "node:http";
import { type Socket, Server as SocketServer } from "node:net";
import { SECOND } from "@/core/time";

/** By then a request that was sent before its client could know of the end has arrived. */
const LAST_CALL_MS = SECOND;

/** How a server ends. */
export interface Draining {
  /**
   * Takes no new connections, ends each with what it is answered next, or once nothing is asked on it, and resolves
   * when all are ended. What is asked while a connection stands is answered.
   */
  drain(): Promise<void>;
  /** From now on whatever is asked is answered by this. */
  refuse(answer: RequestListener): void;
}

/** Watches a server to which nobody has connected yet. */
export function prepareDrain(server: Server, lastCallMs = LAST_CALL_MS): Draining {
  /** Connections on which nothing was asked yet, which Node does not count among the idle ones. */
  const silent = new Set<Socket>();
  server.on("connection", (socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  server.on("request", ({ socket }) => silent.delete(socket));

  function endUnused(): void {
    server.closeIdleConnections();
    for (const socket of silent) socket.destroy();
  }

  return {
    drain: () =>
      new Promise((resolve) => {
        server.prependListener("request", (_request, response) => {
          response.shouldKeepAlive = false;
        });
        const lastCalls = setInterval(endUnused, lastCallMs);
        // Node's own way for HTTP would at once reset whatever connection has its next request on its way.
        SocketServer.prototype.close.call(server, () => {
          clearInterval(lastCalls);
          resolve();
        });
      }),
    refuse(answer) {
      server.removeAllListeners("request");
      server.on("request", answer);
    },
  };
}
