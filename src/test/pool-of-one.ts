import { createConnection, type Socket } from "node:net";
import postgres from "postgres";
import { inject } from "vitest";

/** A driver with one connection, and the sockets it has opened. @param more options of the driver */
export function createPoolOfOne(more: object = {}): { client: postgres.Sql; sockets: Socket[] } {
  const sockets: Socket[] = [];
  const options = {
    ...more,
    max: 1,
    connect_timeout: 10,
    socket: async ({ host: [host], port: [port] }: { host: string[]; port: number[] }) => {
      const socket = createConnection(port ?? 0, host);
      sockets.push(socket);
      return socket;
    },
  };
  return { client: postgres(inject("databaseUrl"), options), sockets };
}
