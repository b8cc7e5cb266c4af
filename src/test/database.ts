import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import postgres from "postgres";
import { inject } from "vitest";
import { connect } from "@/db/client";

export type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>;

/** Creates a database for one test file, as a copy of the migrated one. `close` drops it. */
export async function createTestDatabase() {
  const name = `test_${randomBytes(8).toString("hex")}`;
  const url = new URL(inject("databaseUrl"));
  url.pathname = `/${name}`;
  await runAsAdmin(`create database ${name} template ${inject("template")}`);
  const connection = connect(url.href);
  return {
    ...connection,
    url: url.href,
    close: async () => {
      await connection.close();
      await runAsAdmin(`drop database ${name} with (force)`);
    },
  };
}

async function runAsAdmin(statement: string): Promise<void> {
  const url = new URL(inject("databaseUrl"));
  url.pathname = "/postgres";
  const client = postgres(url.href, { max: 1, onnotice: () => {} });
  try {
    await client.unsafe(statement);
  } finally {
    await client.end();
  }
}

/** A server that refuses every connection with one error. */
export async function startRefusingServer(code: string, message: string) {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(createErrorPacket("FATAL", code, message)));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `postgres://user:secret@127.0.0.1:${port}/none`, close: () => void server.close() };
}

/** An error as PostgreSQL sends it. */
export function createErrorPacket(severity: string, code: string, message: string): Buffer {
  const fields = Buffer.from(`S${severity}\0V${severity}\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
