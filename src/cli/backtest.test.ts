import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addDays } from "@/core/time";
import { RANKINGS } from "@/features/backtest/schema";
import type { BacktestReport } from "@/features/backtest/service";
import { runCli } from "@/test/programs";

const runCommand = (...words: string[]) => runCli("backtest", words, {});

describe("npm run backtest", () => {
  let folder: string;
  let file: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "creator-growth-backtest-"));
    file = path.join(folder, "history.csv");
    const rows = Array.from({ length: 30 }, (_, channel) =>
      Array.from({ length: 64 }, (_, day) => {
        const subscribers = 500 + channel * day;
        return `UC${channel},${addDays("2026-01-01", day)},${subscribers},${subscribers * 100},`;
      }),
    );
    await writeFile(file, ["channel_id,date,subscribers,views,videos", ...rows.flat()].join("\n"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("prints one JSON object and nothing else, and writes the chart to a file", async () => {
    const svg = path.join(folder, "backtest.svg");
    const { code, stdout, stderr } = await runCommand(file, "--json", "--samples", "5", "--svg", svg);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const report: BacktestReport = JSON.parse(stdout);
    expect(report).toMatchObject({ origins: 5, channels: 30, half: null });
    const drawing = await readFile(svg, "utf8");
    expect(drawing).toMatch(/^<svg [^>]*>[\s\S]*<\/svg>\n$/);
    for (const word of [...RANKINGS, "STABLE", "7 days ahead", "28 days ahead"]) expect(drawing).toContain(word);
    expect(drawing).not.toMatch(/NaN|undefined|null/);
  });

  it("prints tables for one half of the channels", async () => {
    const { stdout } = await runCommand(file, "--samples", "5", "--half", "b");
    for (const word of [...RANKINGS, "best possible", "HIGH_GROWTH", "alerts by the rule"])
      expect(stdout).toContain(word);
    expect(stdout).toMatch(/half\W+b\b/);
  });

  it.each([
    [["no-such-file.csv"], "no-such-file.csv cannot be read"],
    [["LICENSE"], "CSV line 1"],
    [["history.csv", "--half", "c"], "Allowed choices are a, b"],
    [["history.csv", "--samples", "0"], "It must be 1 to 99999."],
  ])("refuses %j with one line that gives the reason", async (options, reason) => {
    const { code, stdout, stderr } = await runCommand(...options);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr.split("\n")[0]).toContain(reason);
  });
});
