import type { RequestListener, Server } from "node:http";
import { type Socket, Server as SocketServer } from "node:net";
import { setImmediate } from "node:timers/promises";
import { SECOND } from "@/core/time";

/** By then a request that was sent before its client could know of the end has arrived. */
const LAST_CALL_MS = SECOND;
/**
 * How long connections that were made before are accepted: where the process has much to do, until a moment after it has
 * begun to refuse, when that costs little.
 */
const LONGEST_ACCEPTING_MS = 5_800;
/** Turns of the event loop without a new connection after which none waits to be accepted: one is accepted in each. */
const QUIET_TURNS = 3;

/** How a server ends. */
export interface Draining {
  /**
   * Accepts the connections that have been made, but no new ones, ends each with what it is answered next, or once
   * nothing is asked on it, and resolves when all are ended. What is asked while a connection stands is answered.
   */
  drain(): Promise<void>;
  /** From now on whatever is asked is answered by this. */
  refuse(answer: RequestListener): void;
}

/** Of a connection that has just come. */
const NOT_LOOKED_AT = -1;

/** A connection: how many of its answers are not with its client yet, and how much it had sent at the last look. */
interface Line {
  unanswered: number;
  bytesSeen: number;
}

/** Watches a server to which nobody has connected yet. */
export function prepareDrain(server: Server, lastCallMs = LAST_CALL_MS): Draining {
  const lines = new Map<Socket, Line>();
  let accepted = 0;
  let isDraining = false;
  server.on("connection", (socket) => {
    accepted += 1;
    lines.set(socket, { unanswered: 0, bytesSeen: NOT_LOOKED_AT });
    socket.once("close", () => lines.delete(socket));
  });
  const watch: RequestListener = ({ socket }, response) => {
    if (isDraining) response.shouldKeepAlive = false;
    const line = lines.get(socket);
    if (!line) return;
    line.unanswered += 1;
    response.once("close", () => {
      line.unanswered -= 1;
    });
  };
  server.prependListener("request", watch);

  /** Ends the connections on which nothing was asked, or begun to be asked, since the last look. */
  async function endUnused(): Promise<void> {
    // What came while the process was at work is read first.
    await setImmediate();
    for (const [socket, line] of lines) {
      const isSilent = socket.bytesRead === line.bytesSeen;
      line.bytesSeen = socket.bytesRead;
      if (isSilent && line.unanswered === 0) socket.destroy();
    }
  }

  /** The kernel resets what it has connected and the process has not accepted when it stops to listen. */
  async function acceptAll(): Promise<void> {
    const until = performance.now() + LONGEST_ACCEPTING_MS;
    for (let quiet = 0, known = accepted; quiet < QUIET_TURNS && performance.now() < until; quiet++) {
      await setImmediate();
      if (accepted !== known) quiet = 0;
      known = accepted;
    }
  }

  return {
    async drain() {
      isDraining = true;
      for (const [socket, line] of lines) line.bytesSeen = socket.bytesRead;
      const lastCalls = setInterval(endUnused, lastCallMs);
      await acceptAll();
      // Node's own way for HTTP would at once reset whatever connection has its next request on its way.
      await new Promise<void>((resolve) => SocketServer.prototype.close.call(server, () => resolve()));
      clearInterval(lastCalls);
    },
    refuse(answer) {
      server.removeAllListeners("request");
      server.prependListener("request", watch);
      server.on("request", answer);
    },
  };
}
