import { createLog } from "@/core/log/log";

/** Writes log lines as a server does, then ends: `log-user <lines> <exit|throw|go on>`. */
const [lines = "1", end] = process.argv.slice(2);
const log = createLog({ level: "info", buffer: true });
for (let line = 1; line <= Number(lines); line++) log.info({ line }, "a line");
if (end === "exit") process.exit(3);
if (end === "throw") throw new Error("an unexpected error");
process.stdin.resume();
