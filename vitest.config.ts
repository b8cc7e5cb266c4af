import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Day arithmetic that leans on the machine's zone shows itself where the offset is odd.
process.env.TZ = "Asia/Kathmandu";

/** Most code of a test runs once or twice: optimising it, and collecting its garbage early, costs more than it gains. */
const V8_FLAGS = ["--max-semi-space-size=32"];
// Later versions refuse it.
if (process.version.startsWith("v20.")) V8_FLAGS.push("--interrupt-budget=1500000");

/** More random cases and kills. A mode of vitest would not reach the projects below. */
const IS_NIGHTLY = process.env.NIGHTLY === "1";

/** Tests without a database. */
const UNIT = [
  "emails/**/*.test.tsx",
  "bench/**/*.test.ts",
  "src/*.test.ts",
  "src/{app,jobs,ui}/**/*.test.{ts,tsx}",
  "src/core/{*,http/*,mail/*}.test.ts",
  "src/platform/{history,sample,sandbox}.test.ts",
  "src/features/**/{rules,*.rules}.test.ts",
];

export default defineConfig({
  resolve: {
    alias: {
      "@/": fileURLToPath(new URL("./src/", import.meta.url)),
      "@emails/": fileURLToPath(new URL("./emails/", import.meta.url)),
    },
  },
  test: {
    provide: {
      nightly: IS_NIGHTLY,
      seed: process.env.SEED ? Number(process.env.SEED) : null,
      fuzzRuns: Number(process.env.FUZZ_RUNS || 60),
    },
    // Also on two cores: the tests wait for the database more than they compute.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    execArgv: V8_FLAGS,
    // Modules keep no state between tests, so workers reuse them.
    isolate: false,
    // No test is about time: these only end what hangs, on a slow machine too.
    testTimeout: IS_NIGHTLY ? 6 * 3_600_000 : 300_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: "unit", include: UNIT } },
      {
        extends: true,
        test: {
          name: "database",
          include: ["src/**/*.test.{ts,tsx}"],
          exclude: UNIT,
          globalSetup: "./src/test/global-setup.ts",
        },
      },
    ],
  },
});
