import { type SQL, sql } from "drizzle-orm";
import { REFUSED_MAIL_STATUSES } from "@/core/mail/email";
import { addDays, type Day, startOfDay, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import type { DestinationName } from "@/db/values";
import type { KeyId } from "@/features/keys/schema";

/** What became of one mail or post, for the operator. */
export interface DeliveryReport {
  day: Day;
  subject: string;
  destination: DestinationName;
  /** The status of the delivery, or what the mail service said later; `none` when there is no delivery. */
  outcome: string;
  reason: string | null;
}

/** What became of the mails and posts of a key on a day: how many ended alike. */
export interface KeyReport extends Omit<DeliveryReport, "subject" | "day"> {
  key_id: string;
  label: string;
  count: number;
}

/** Why an alert has no mail. Mutes are those of now. */
const NO_MAIL_SQL = sql`case
    when wanted.destination <> 'email' then null
    when exists (select from muted_creators as muted
      where muted.key_id = alerts.key_id and muted.channel_id = alerts.channel_id) then 'the key muted this creator'
    else coalesce((select 'its address ' || suppressions.reason from suppressions
      where suppressions.key_id = alerts.key_id and suppressions.since <= alerts.created_at
      order by suppressions.since desc limit 1), 'the key had no address') end`;

/** What the mail service said after it had taken a mail that did not arrive. */
const REFUSED_LATER_SQL = sql`case when receipt in ${REFUSED_MAIL_STATUSES} then receipt end`;

/** A query of `key_id, day, at, subject, destination, outcome, reason`: each alert twice, and the mails of digests. */
function reportsSql(ofAlerts: SQL, ofDigests: SQL): SQL {
  const outcome = sql`coalesce(${REFUSED_LATER_SQL}, made.status, 'none')`;
  const reason = sql`coalesce(case when receipt <> 'delivered' then receipt_detail end, problem`;
  return sql`
    select alerts.key_id, alerts.day, alerts.created_at as at, alerts.message as subject, wanted.destination,
      ${outcome} as outcome, ${reason}, case when made.id is null then ${NO_MAIL_SQL} end) as reason
    from alerts cross join (values ('email'), ('monitoring')) as wanted (destination)
    left join deliveries as made on made.alert_id = alerts.id and made.destination = wanted.destination
    where ${ofAlerts}
    union all
    select digests.key_id, (made.created_at at time zone 'UTC')::date, made.created_at, 'Weekly digest', made.destination,
      ${outcome}, ${reason})
    from digests join deliveries as made on made.digest_id = digests.id where ${ofDigests}`;
}

/** The latest deliveries of a key, newest first. */
export async function listKeyReports({ db }: CoreContext, keyId: KeyId, limit: number): Promise<DeliveryReport[]> {
  const reports = reportsSql(sql`alerts.key_id = ${keyId}`, sql`digests.key_id = ${keyId}`);
  return db.execute<DeliveryReport & Record<string, unknown>>(sql`
    select day::text, subject, destination, outcome, reason from (${reports}) as report
    order by at desc, subject, destination limit ${limit}`);
}

/** The deliveries of a day by key: those of its alerts, and of digests that were planned on it. */
export async function listDayReports({ db }: CoreContext, day: Day): Promise<KeyReport[]> {
  const start = sql`${day}::timestamp at time zone 'UTC'`;
  const isOfDay = sql`made.created_at >= ${start} and made.created_at < ${start} + interval '1 day'`;
  return db.execute<KeyReport & Record<string, unknown>>(sql`
    select key_id, label, destination, outcome, reason, count(*)::int as count
    from (${reportsSql(sql`alerts.day = ${day}::date`, isOfDay)}) as report join api_keys on api_keys.id = key_id
    group by key_id, label, destination, outcome, reason order by key_id, destination, outcome, reason`);
}

/** Deliveries of the last days, counted by destination and outcome. */
export async function countDeliveries({ db, clock }: CoreContext, days: number) {
  const since = startOfDay(addDays(toUtcDay(clock.now()), 1 - days)).toISOString();
  return db.execute<{ destination: DestinationName; status: string; count: number }>(sql`
    select destination, coalesce(${REFUSED_LATER_SQL}, status) as status, count(*)::int as count
    from deliveries where created_at >= ${since}::timestamptz group by 1, 2 order by 1, 2`);
}

/** The addresses of a key that get no mails, and why. */
export async function listSuppressions({ db }: CoreContext, keyId: KeyId) {
  return db.execute<{ email: string; reason: string; since: string }>(sql`
    select email, reason, to_char(since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as since
    from suppressions where key_id = ${keyId} order by suppressions.since desc`);
}
