import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { createLog } from "./log";

/** A process that logs, its lines gathered. */
function startLogging(
  lines: number,
  end: "exit" | "throw" | "go on",
): ChildProcess & { stdout: NodeJS.ReadableStream } {
  return spawn(process.execPath, ["--import", "tsx", "src/test/log-user.ts", String(lines), end], {
    stdio: ["pipe", "pipe", "ignore"],
  });
}

describe("lines that are gathered", () => {
  it.each(["exit", "throw"] as const)("are all written when the process ends by %s", async (end) => {
    const written = await text(startLogging(500, end).stdout);

    const numbers = written
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).line);
    expect(numbers).toEqual(Array.from({ length: 500 }, (_, index) => index + 1));
  });

  it.skipIf(!existsSync("/dev/full"))(
    "are no end of the process where they cannot be written, which it says",
    async () => {
      const full = await open("/dev/full", "w");
      const logging = spawn(process.execPath, ["--import", "tsx", "src/test/log-user.ts", "50000", "exit"], {
        stdio: ["pipe", full.fd, "pipe"],
      });
      const [said, [code]] = await Promise.all([
        text(logging.stderr ?? Readable.from([])),
        once(logging, "exit"),
      ]);
      await full.close();
      expect(code).toBe(3);
      expect(said).toMatch(/^the log cannot be written: ENOSPC: .*\n$/);
    },
  );

  it("are no end of the process where nobody reads its errors either", async () => {
    const readOnly = await open("/dev/null", "r");
    const logging = spawn(process.execPath, ["--import", "tsx", "src/test/log-user.ts", "50000", "exit"], {
      stdio: ["pipe", readOnly.fd, readOnly.fd],
    });
    expect(await once(logging, "exit")).toEqual([3, null]);
    await readOnly.close();
  });

  it("are written while the process goes on, with their time in UTC", async () => {
    const logging = startLogging(1, "go on");

    const [chunk] = await once(logging.stdout, "data");

    expect(JSON.parse(String(chunk))).toMatchObject({ level: 30, line: 1, msg: "a line" });
    expect(JSON.parse(String(chunk)).time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(logging.exitCode).toBe(null);
    logging.kill();
  });
});

it("any number of logs listens to the process's errors once", () => {
  createLog({ level: "silent" });
  const listening = process.stderr.listenerCount("error");

  for (let count = 0; count < 12; count++) createLog({ level: "silent" });

  expect(process.stderr.listenerCount("error")).toBe(listening);
});
