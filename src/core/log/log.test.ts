import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { getProgramArgs } from "@/test/programs";

/** A process with a buffered log. */
function startLogging(lines: number, end: "exit" | "throw" | "go on") {
  const words = getProgramArgs("test/log-user", [String(lines), end]);
  return spawn(process.execPath, words, { stdio: ["pipe", "pipe", "ignore"] });
}

describe("buffered log lines", () => {
  it.each(["exit", "throw"] as const)("are all written when the process ends by %s", async (end) => {
    const written = await text(startLogging(500, end).stdout);

    const numbers = written
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).line);
    expect(numbers).toEqual(Array.from({ length: 500 }, (_, index) => index + 1));
  });

  it("are written while the process runs, with their time in UTC", async () => {
    const logging = startLogging(1, "go on");

    const [chunk] = await once(logging.stdout, "data");

    expect(JSON.parse(String(chunk))).toMatchObject({ level: 30, line: 1, msg: "a line" });
    expect(JSON.parse(String(chunk)).time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(logging.exitCode).toBe(null);
    logging.kill();
  });
});
