import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Day arithmetic that leans on the machine's zone shows itself where the offset is odd.
process.env.TZ = "Asia/Kathmandu";

export default defineConfig(({ mode }) => ({
  resolve: {
    alias: {
      "@/": fileURLToPath(new URL("./src/", import.meta.url)),
      "@emails/": fileURLToPath(new URL("./emails/", import.meta.url)),
    },
  },
  test: {
    include: ["src/**/*.test.{ts,tsx}", "emails/**/*.test.tsx"],
    provide: {
      nightly: mode === "nightly",
      seed: process.env.SEED ? Number(process.env.SEED) : null,
      fuzzRuns: Number(process.env.FUZZ_RUNS || 60),
    },
    globalSetup: "./src/test/global-setup.ts",
    // Also where only two cores are: the tests wait for the database more than they compute.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // No module of ours keeps state that a test could meet, so each is read once a worker and not once a file.
    isolate: false,
    // No test is about time: these only end what hangs, on a slow machine too.
    testTimeout: mode === "nightly" ? 6 * 3_600_000 : 300_000,
    hookTimeout: 120_000,
  },
}));
