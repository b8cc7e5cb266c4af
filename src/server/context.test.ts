import { expect, it } from "vitest";
import { readEnv } from "@/core/env";
import { ManualClock } from "@/core/time";
import { createSamplePlatform } from "@/platform/sample";
import { canCompareChannels } from "./context";

it.each([
  ["sample", undefined, true],
  ["history", undefined, true],
  ["youtube", undefined, false],
  ["youtube", "123456789012 2026-07-01", true],
] as const)("comparison of channels from %s with the amendment %s is allowed: %s", (name, YOUTUBE_AMENDMENT, may) => {
  const env = readEnv({ YOUTUBE_API_KEY: "key", YOUTUBE_AMENDMENT });
  const platform = { ...createSamplePlatform(new ManualClock("2026-03-10T06:00:00Z")), name };
  expect(canCompareChannels({ platform, env })).toBe(may);
});
