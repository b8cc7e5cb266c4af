import { describe, expect, it } from "vitest";
import { OperatorError } from "@/core/errors";
import { instant } from "@/core/time";
import { nextDue, parseCron } from "./cron";

describe("a schedule", () => {
  it.each([
    ["TZ=UTC 0 6 * * *", "2026-03-01T05:59:59.999Z", "2026-03-01T06:00:00.000Z"],
    ["0 6 * * *", "2026-03-01T06:00:00.000Z", "2026-03-02T06:00:00.000Z"],
    ["30 23 * * *", "2026-12-31T23:30:00.001Z", "2027-01-01T23:30:00.000Z"],
    ["*/15 * * * *", "2026-03-01T05:59:59.999Z", "2026-03-01T06:00:00.000Z"],
    ["*/15 * * * *", "2026-03-01T06:00:00.000Z", "2026-03-01T06:15:00.000Z"],
    ["*/25 * * * *", "2026-03-01T06:50:00.000Z", "2026-03-01T07:00:00.000Z"],
    ["5 */6 * * *", "2026-03-01T06:05:00.000Z", "2026-03-01T12:05:00.000Z"],
    ["* * * * *", "2026-03-01T06:00:30.000Z", "2026-03-01T06:01:00.000Z"],
  ])("%s after %s is due at %s", (source, after, due) => {
    expect(nextDue(parseCron(source), instant(after)).toISOString()).toBe(due);
  });

  it.each([
    "TZ=Europe/Berlin 0 6 * * *",
    "0 6 * * 1",
    "0 6 1 * *",
    "0 24 * * *",
    "60 6 * * *",
    "*/0 * * * *",
    "0,30 * * * *",
    "0-5 * * * *",
    "0 6 * *",
    "0 0 6 * * *",
    "@daily",
    "",
  ])("%s is refused", (source) => {
    expect(() => parseCron(source)).toThrow(OperatorError);
  });
});
