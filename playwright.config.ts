import { rmSync } from "node:fs";
import { defineConfig, devices } from "@playwright/test";
import { findChromium } from "./e2e/chromium";
import { buildProductEnv, DATA_DIR, getBaseUrl, isOnStandIns, PORT } from "./e2e/product";

// A global teardown would come before the product has stopped, and take the database from under it.
if (process.env.TEST_WORKER_INDEX === undefined)
  process.once("exit", () => rmSync(DATA_DIR, { recursive: true, force: true }));

const browser = {
  baseURL: getBaseUrl(PORT),
  launchOptions: {
    executablePath: findChromium() ?? undefined,
    // A page of a spec lives too briefly to gain from optimised code.
    args: ["--disable-dev-shm-usage", "--disable-gpu", "--js-flags=--no-maglev,--no-opt"],
  },
};

/** Specs that repeat a guarantee at size or in another variant; `npm run tools -- test:nightly` runs them. */
const NIGHTLY = process.env.NIGHTLY ? undefined : /@nightly/;

export default defineConfig({
  testDir: "e2e",
  grepInvert: NIGHTLY,
  outputDir: "test-results",
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  // More than the two cores of small machines: much of a spec is waiting.
  workers: 3,
  reporter: "list",
  // Only ends what hangs, on a slow machine too.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  // A trace of each spec would cost half of the time; `--trace on` makes those of the specs that one looks into.
  use: {
    screenshot: "only-on-failure",
    contextOptions: { reducedMotion: "reduce" },
    // Specs could not intercept what the service worker fetches.
    serviceWorkers: "block",
  },
  projects: [
    { name: "api", testMatch: "api/**/*.spec.ts" },
    ...(isOnStandIns ? [{ name: "services", testMatch: "services/**/*.spec.ts" }] : []),
    { name: "desktop", testMatch: "console/**/*.spec.ts", use: { ...devices["Desktop Chrome"], ...browser } },
    {
      name: "phone",
      testMatch: "console/**/*.spec.ts",
      // The narrowest screen that the console is made for.
      grep: /@phone/,
      grepInvert: NIGHTLY && /@nightly|@phone-nightly/,
      use: { ...devices["Pixel 7"], ...browser, viewport: { width: 320, height: 640 } },
    },
  ],
  webServer: {
    command: "npm start",
    url: `${getBaseUrl(PORT)}/api/health`,
    env: buildProductEnv(DATA_DIR),
    reuseExistingServer: false,
    timeout: 120_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 15_000 },
  },
});
