import { Command } from "commander";
import { diagnose } from "@/cli/doctor/diagnose";
import type { Finding } from "@/cli/doctor/finding";
import { isOperatorError } from "@/core/errors";
import { createLog } from "@/core/log/log";
import { systemClock } from "@/core/time";
import { loadEnv, runCommand } from "./command";
import { table } from "./table";

const program = new Command("doctor")
  .description("Check every configured service with a harmless call. Run as: npm run doctor")
  .option("--json", "print one JSON array, for machines");

/** Exit code 1 when anything is wrong; notes are none of that. */
async function doctor({ json }: { json?: boolean }): Promise<void> {
  const found = await examine();
  const rows = found.map(({ part, what, state, says }) => [part, what, state, says]);
  process.stdout.write(
    `${json ? JSON.stringify(found) : table(["part", "what", "state", "finding"], rows)}\n`,
  );
  if (found.some(({ state }) => state === "wrong")) process.exitCode = 1;
}

async function examine(): Promise<Finding[]> {
  try {
    return await diagnose(loadEnv(false), { clock: systemClock, log: createLog({ level: "silent" }) });
  } catch (error) {
    if (!isOperatorError(error)) throw error;
    return [{ part: "variables", what: "environment", state: "wrong", says: error.message }];
  }
}

await runCommand(async () => {
  program.parse();
  await doctor(program.opts());
});
