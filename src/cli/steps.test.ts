import { describe, expect, it } from "vitest";
import { createSteps } from "./steps";

describe("steps of a start", () => {
  const write = (isTTY: boolean) => {
    const lines: string[] = [];
    const out = { isTTY, write: (text: unknown) => lines.push(String(text)) > 0 };
    const steps = createSteps(out as unknown as NodeJS.WriteStream);
    steps.begin("Preparing sample data…");
    steps.progress(0.404);
    steps.end("Running at http://localhost:3000");
    return lines;
  };

  it("show the progress in a terminal on the line of the step", () => {
    expect(write(true)[1]).toBe("\x1b[1A\r\x1b[KPreparing sample data… 40 %\n");
  });

  it("show one line a step where there is no terminal, and in how many seconds it was ready", () => {
    expect(write(false)).toEqual([
      "Preparing sample data…\n",
      expect.stringMatching(/^Ready in \d+ s\nRunning at http:\/\/localhost:3000\n$/),
    ]);
  });
});
