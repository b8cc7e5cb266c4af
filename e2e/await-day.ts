import { DAY, HOUR, SECOND, sleep } from "../src/core/time";

const SUITE_SECONDS = 600;
/** The UTC day changes: quotas reset and snapshots belong to the next day. Then the daily run reads all creators. */
const MOMENTS = [24 * HOUR, 6 * HOUR];

const isNear = () => {
  const time = Date.now() % DAY;
  return MOMENTS.some((moment) => time < moment && time >= moment - SUITE_SECONDS * SECOND);
};

// A suite that would cross such a moment starts after it.
if (isNear()) process.stdout.write("The UTC day or the daily run is about to begin; waiting for it\n");
while (isNear()) await sleep(SECOND);
