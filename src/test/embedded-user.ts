import { type EmbeddedRole, openEmbedded } from "@/core/db/embedded/server";
import { createLog } from "@/core/log/log";

/**
 * A process that uses the embedded PostgreSQL of a folder: tells its parent the address, and gives the server up when
 * told to. Run as `node --import tsx src/test/embedded-user.ts <folder> <role>` with a channel to the parent.
 */
const [folder = "", role = "command"] = process.argv.slice(2);
process.once("disconnect", () => process.exit(1));
const server = await openEmbedded(folder, role as EmbeddedRole, createLog({ level: "silent" }));
process.once("message", () => {
  server.close().then(() => process.exit(0));
});
process.send?.(server.url);
