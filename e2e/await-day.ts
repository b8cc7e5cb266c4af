import { secondsToMidnight } from "../src/core/time";

const SUITE_SECONDS = 600;
const secondsLeft = () => secondsToMidnight(new Date());

// Counters end with the UTC day, and a creator gets a second snapshot on the next. So a suite that would run across
// midnight begins after it, before its product starts.
if (secondsLeft() <= SUITE_SECONDS)
  process.stdout.write("The UTC day is about to end; waiting for the next one\n");
while (secondsLeft() <= SUITE_SECONDS) await new Promise((resolve) => setTimeout(resolve, 1000));
