import { secondsToMidnight } from "./fixtures";

const SUITE_SECONDS = 600;

/** Counters end with the UTC day, so a suite that would run across midnight begins after it. */
// biome-ignore lint/style/noDefaultExport: Playwright calls the default export
export default async function awaitDayWithRoom(): Promise<void> {
  if (secondsToMidnight() > SUITE_SECONDS) return;
  process.stdout.write("The UTC day is about to end; waiting for the next one\n");
  while (secondsToMidnight() <= SUITE_SECONDS) await new Promise((resolve) => setTimeout(resolve, 1000));
}
