import { addDays, DAY, type Day, HOUR, startOfDay, toDate, toUtcDay } from "@/core/time";

/** Digests are sent on Monday at 07:00 UTC, an hour after the daily run begins. */
const DIGEST_TIME = 7 * HOUR;
/** Every hour, so that a digest is sent later in its week if the service was down on Monday. */
export const DIGEST_SCHEDULE = "0 * * * *";

/** 1970-01-05, a Monday. */
const FIRST_MONDAY = startOfDay("1970-01-05").getTime();

/** The latest Monday whose digests are due. */
export function getDigestWeek(now: Date): Day {
  const days = Math.floor((now.getTime() - DIGEST_TIME - FIRST_MONDAY) / DAY);
  return addDays(toUtcDay(toDate(FIRST_MONDAY)), days - (days % 7));
}

/** When the digest of a Monday is due: the end of the seven days that it covers. */
export function getDigestDue(week: Day): Date {
  return toDate(startOfDay(week).getTime() + DIGEST_TIME);
}
