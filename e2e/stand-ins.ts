import { spawn } from "node:child_process";
import { once } from "node:events";
import { startStandIns } from "@/test/stand-ins";

/**
 * Runs a command with a stand-in of every service, handed to it in the product's variables:
 * `node --import tsx e2e/stand-ins.ts npm start`. E2E_STAND_INS names these variables, so that the suite keeps them.
 */
const standIns = await startStandIns();
const [program = "npm", ...args] = process.argv.slice(2);
const { variables } = standIns;
const child = spawn(program, args, {
  stdio: "inherit",
  env: { ...process.env, ...variables, E2E_STAND_INS: Object.keys(variables).join(" ") },
});
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => child.kill(signal));
const [code] = await once(child, "exit");
await standIns.stop();
process.exitCode = code ?? 1;
