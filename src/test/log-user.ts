import { createLog } from "@/core/log/log";

/** Logs so many lines as a server does, and ends as it is told: `node --import tsx src/test/log-user.ts <lines> <end>`. */
const [lines = "1", end] = process.argv.slice(2);
const log = createLog({ level: "info", gather: true });
for (let line = 1; line <= Number(lines); line++) log.info({ line }, "a line");
if (end === "exit") process.exit(3);
if (end === "throw") throw new Error("an end that nobody expected");
process.stdin.resume();
