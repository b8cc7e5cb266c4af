import { getSecondsToMidnight } from "../src/core/time";

const SUITE_SECONDS = 600;
const getSecondsLeft = () => getSecondsToMidnight(new Date());

// Quotas reset and snapshots change at midnight UTC, so a suite that would cross it starts after it.
if (getSecondsLeft() <= SUITE_SECONDS) process.stdout.write("The UTC day is about to end; waiting for the next one\n");
while (getSecondsLeft() <= SUITE_SECONDS) await new Promise((resolve) => setTimeout(resolve, 1000));
