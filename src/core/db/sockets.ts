import { connect, type Socket } from "node:net";
import { sleep } from "@/core/time";

/** What the driver says of the socket it wants. */
interface Wanted {
  host: string[];
  port: number[];
  path?: string | false;
}

/** Milliseconds between two sockets of a pool that has opened many. */
const SPACING_MS = 100;

/**
 * Opens the sockets of a pool: as many at once as it has connections, then one each tenth of a second. Left alone, the
 * driver comes back hundreds of times a second to a server that turns it away while it starts, or is full.
 */
export function pacedSockets(burst: number): (wanted: Wanted) => Promise<Socket> {
  let room = burst;
  let countedAt = performance.now();
  return async ({ host: [host], port: [port = 0], path }) => {
    const now = performance.now();
    room = Math.min(burst, room + (now - countedAt) / SPACING_MS) - 1;
    countedAt = now;
    // Also where there is room: what fails at once is told in the next tick, when the driver has to listen already.
    await (room < 0 ? sleep(-room * SPACING_MS) : undefined);
    const socket = path ? connect(path) : connect(port, host);
    // By this name the driver tells TLS whom it expects.
    return Object.assign(socket, { host });
  };
}
