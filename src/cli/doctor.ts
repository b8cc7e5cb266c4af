import { isOperatorError } from "@/core/errors";
import type { Finding } from "@/core/http/check";
import { createLog } from "@/core/log/log";
import { systemClock } from "@/core/time";
import { createProgram, loadEnv, type Output, print, runProgram } from "./command";
import { diagnose } from "./doctor/diagnose";
import { formatTable } from "./table";

/** Exits with 1 when anything is wrong. Notes are no fault. */
async function runDoctor(output: Output): Promise<void> {
  const found = await runChecks();
  const rows = found.map(({ part, what, state, says }) => [part, what, state, says]);
  print(output, found, formatTable(["part", "what", "state", "finding"], rows));
  if (found.some(({ state }) => state === "wrong")) process.exitCode = 1;
}

async function runChecks(): Promise<Finding[]> {
  try {
    return await diagnose(loadEnv(false), { clock: systemClock, log: createLog({ level: "silent" }) });
  } catch (error) {
    if (!isOperatorError(error)) throw error;
    return [{ part: "variables", what: "environment", state: "wrong", says: error.message }];
  }
}

await runProgram(createProgram("doctor", "Check every configured service with a harmless call.").action(runDoctor));
