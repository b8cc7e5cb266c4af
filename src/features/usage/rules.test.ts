import { expect, it } from "vitest";
import { toDate } from "@/core/time";
import { projectRunOut } from "./rules";

it.each([
  [25, 50, "06:00", "12:00", "half in six hours: all in twelve"],
  [25, 50, "12:00", null, "it lasts exactly to the end"],
  [26, 50, "12:00", "23:04", "a little faster than that"],
  [9, 50, "00:10", null, "too little to go by"],
  [50, 50, "12:00", null, "it has run out already"],
])("projects %i of %i requests at %s UTC to run out at %s: %s", (used, limit, now, at, _why) => {
  const runsOut = projectRunOut(used, limit, toDate(`2026-03-10T${now}:00.000Z`));
  expect(runsOut?.toISOString().slice(0, 16) ?? null).toBe(at && `2026-03-10T${at}`);
});
