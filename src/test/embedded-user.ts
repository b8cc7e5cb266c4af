import { createLog } from "@/core/log/log";
import { type EmbeddedRole, openEmbedded } from "@/db/embedded/server";

/**
 * A process that uses the embedded PostgreSQL of a folder. It sends the address to its parent, and closes the server on
 * the first message. Run as `embedded-user <folder> <role>` with an IPC channel.
 */
const [folder = "", role = "command"] = process.argv.slice(2);
process.once("disconnect", () => process.exit(1));
const server = await openEmbedded(folder, role as EmbeddedRole, createLog({ level: "silent" }), true);
process.once("message", () => {
  server.close().then(() => process.exit(0));
});
process.send?.(server.url);
