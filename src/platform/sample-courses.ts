/**
 * How a simulated channel grows. Courses repeat, so counts stay plausible at any date and follow from the date alone:
 * the logarithm of the subscribers is `start + climb(day) - fall(day)` on each day of the course.
 */
export interface Course {
  days: number;
  start: number;
  /** Neither climb nor fall decreases within a course. */
  climb(day: number): number;
  fall(day: number): number;
  /** The gain of its first day, as a factor, for a course that jumps. */
  jump?: number;
}

/** Days over which a viral video still brings subscribers, and after which a jumped channel begins to shrink. */
const AFTERGLOW_DAYS = 9;
const HELD_DAYS = 60;
/** A channel that grows before its jump does so over this many days. */
const LEAD_DAYS = 21;

/**
 * Climbs by a factor over `rise` days and returns over `fall` days.
 * @param ease of the climb: an S-curve, or the same growth on each day
 */
export function createWave(rise: number, fall: number, factor: number, ease: "s" | "steady" = "s"): Course {
  const height = Math.log(factor);
  return {
    days: rise + fall,
    start: 0,
    climb: (day) => height * (ease === "s" ? smooth(day / rise) : clamp(day / rise)),
    fall: (day) => height * smooth((day - rise) / fall),
  };
}

/**
 * Jumps on its first day, goes on growing while the video behind it fades, and returns.
 * @param jump factor of the day @param afterglow what follows, as a share of the jump
 * @param lead growth in percent on each of the 21 days before
 */
export function createJump(days: number, jump: number, afterglow: number, lead: number): Course {
  const burst = Math.log(jump);
  const start = LEAD_DAYS * Math.log(1 + lead / 100);
  const total = start + burst * (1 + afterglow);
  const climbAgain = days - LEAD_DAYS;
  return {
    days,
    start,
    jump,
    climb: (day) =>
      burst * clamp(day) +
      burst * afterglow * (1 - Math.exp(-Math.max(0, day - 1) / AFTERGLOW_DAYS)) +
      start * clamp((day - climbAgain) / LEAD_DAYS),
    fall: (day) => total * smooth((day - HELD_DAYS) / (climbAgain - HELD_DAYS)),
  };
}

/**
 * By how many days a channel is ahead of a smooth course: it grows more on weekends, in some weeks and on some days, by
 * chance. Time never runs backwards.
 */
export function computeWobble(seed: number, age: number): number {
  const week = Math.sin((2 * Math.PI * age) / 7) * (WEEKLY / (2 * Math.PI)) * 7;
  return (
    week + (DAILY / 2) * computeNoise(seed, age) + (DRIFT / 2) * DRIFT_DAYS * computeNoise(~seed, age / DRIFT_DAYS)
  );
}

/** The shares of a day's growth that come and go. Their sum is under 1. */
const [WEEKLY, DAILY, DRIFT] = [0.25, 0.3, 0.25];
const DRIFT_DAYS = 11;

/** From -1 to 1, linear between whole numbers. */
function computeNoise(seed: number, at: number): number {
  const from = Math.floor(at);
  const [before, after] = [toNoise(seed, from), toNoise(seed, from + 1)];
  return before + (after - before) * (at - from);
}

function toNoise(seed: number, number: number): number {
  let mixed = Math.imul(seed ^ Math.imul(number, 0x9e3779b1), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 31 - 1;
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}

function smooth(share: number): number {
  const part = clamp(share);
  return part * part * (3 - 2 * part);
}
