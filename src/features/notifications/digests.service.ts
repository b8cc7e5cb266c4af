import { and, eq, gte, lt, notInArray, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { addDays, type Day, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { alerts, apiKeys, digestKeys, digests } from "@/db/schema";
import type { DestinationName, OUTCOMES } from "@/db/values";
import { type StoredCause, toAlertCause } from "@/features/alerts/cause.rules";
import { alertCauseSql } from "@/features/alerts/cause.service";
import { SEVERITY_SCALE } from "@/features/alerts/rules";
import { TrackedQuery } from "@/features/creators/query.schema";
import { getTrackedTable } from "@/features/creators/table.service";
import { formatPercent } from "@/features/growth/rules";
import { LEVEL_WORDS } from "@/features/growth/score.rules";
import type { KeyId } from "@/features/keys/schema";
import { findMailableEmail, mailableEmailsSql } from "./addresses.service";
import { getDigestDue, getDigestWeek } from "./digests.rules";
import { type MessageContext, type StoredMail, toCauseProps, toStoredMail } from "./messages.service";
import { listMutedCreators } from "./mutes.service";
import { createUnsubscribe } from "./suppressions.service";

/** Creators in a digest at most. */
const MOVERS = 5;
const MOVER_DAYS = 7;

type LoadedDigest = Awaited<ReturnType<typeof loadDigest>>;

/** Whether the key gets the weekly digest. */
export async function hasDigest({ db }: CoreContext, keyId: KeyId): Promise<boolean> {
  return (await db.$count(digestKeys, eq(digestKeys.keyId, keyId))) > 0;
}

/** Turns the key's weekly digest on or off. Safe to repeat. The first one comes on the next Monday. */
export async function setDigest({ db, clock }: CoreContext, keyId: KeyId, isWanted: boolean): Promise<void> {
  if (isWanted) await db.insert(digestKeys).values({ keyId, since: clock.now() }).onConflictDoNothing();
  else await db.delete(digestKeys).where(eq(digestKeys.keyId, keyId));
}

/**
 * Plans the week's digest of each key that wanted it when it was due, once per key and week. A key without an address
 * to mail has no delivery, and gets none later that week. Plans nothing while the day's run is under way.
 * @param destination where digests go
 * @returns ids of the new digests with a delivery
 */
export async function planDigests({ db, clock }: CoreContext, destination: DestinationName): Promise<string[]> {
  const now = clock.now().toISOString();
  const week = getDigestWeek(clock.now());
  const rows = await db.execute<{ id: string }>(sql`
    with planned as (
      insert into ${digests} (key_id, week, created_at)
      select key_id, ${week}::date, ${now}::timestamptz from ${digestKeys}
      where since < ${getDigestDue(week).toISOString()}::timestamptz
        and not exists (select from ${digests} where digests.key_id = digest_keys.key_id and week = ${week}::date)
        -- A run under way would leave creators out.
        and not exists (
          select from snapshot_runs where day = ${toUtcDay(clock.now())}::date and finished_at is null
        )
      order by key_id
      on conflict do nothing
      returning id, key_id
    )
    insert into deliveries (digest_id, destination, recipient, status, created_at, attempts)
    select planned.id, ${destination}, address.email, 'pending', ${now}::timestamptz, 0
    from planned join (${mailableEmailsSql()}) as address on address.key_id = planned.key_id
    returning digest_id as id`);
  return rows.map(({ id }) => id);
}

/** The key's alert address; null when it gets no mails, or the key no longer wants digests. */
export async function findDigestEmail(ctx: CoreContext, keyId: KeyId): Promise<string | null> {
  return (await hasDigest(ctx, keyId)) ? findMailableEmail(ctx, keyId) : null;
}

/** A digest with what happened in its seven days, without muted creators. @throws Error when it no longer exists */
export async function loadDigest(ctx: CoreContext, digestId: string) {
  const [digest] = await ctx.db
    .select({ keyId: digests.keyId, keyLabel: apiKeys.label, week: digests.week })
    .from(digests)
    .innerJoin(apiKeys, eq(apiKeys.id, digests.keyId))
    .where(eq(digests.id, digestId));
  if (!digest) throw new Error(`digest ${digestId} does not exist`);
  // The key itself, which was valid when the digest was planned.
  const keyId = digest.keyId as KeyId;
  const { week } = digest;
  const muted = (await listMutedCreators(ctx, keyId)).map(({ channel_id }) => channel_id);
  const isMeant = and(eq(alerts.keyId, keyId), notInArray(alerts.channelId, muted));
  const [movers, rises, outcomes] = await Promise.all([
    listTopMovers(ctx, keyId, muted),
    summarizeAlerts(ctx, isMeant, week),
    countWeekOutcomes(ctx, isMeant, week),
  ]);
  return { ...digest, keyId, movers, ...rises, outcomes };
}

/** Whether nothing happened that is worth an email. */
export function isQuiet({ movers, severities, outcomes }: LoadedDigest): boolean {
  return movers.length + severities.length === 0 && Object.values(outcomes).every((count) => count === 0);
}

/** The key's creators that grew most over seven days. */
async function listTopMovers(ctx: CoreContext, keyId: KeyId, muted: readonly string[]) {
  const limit = MOVERS + muted.length;
  const query = { ...TrackedQuery.parse({ sort: "growth_7d" }), limit };
  const { creators } = await getTrackedTable(ctx, keyId, query);
  const notMuted = creators.filter(({ channel_id }) => !muted.includes(channel_id)).slice(0, MOVERS);
  return notMuted.flatMap(({ name, score, alert_level, growth }) => {
    const { percent, low, high } = growth.find(({ days }) => days === MOVER_DAYS) ?? {};
    if (!percent || percent < 0 || low == null || high == null) return [];
    const range = low === high ? null : { low: formatPercent(low), high: formatPercent(high) };
    return [{ name, percent: formatPercent(percent), range, score, level: LEVEL_WORDS[alert_level] }];
  });
}

async function summarizeAlerts({ db }: CoreContext, isMeant: SQL | undefined, week: Day) {
  const growth = sql`${alerts.subscribersAfter}::float8 / ${alerts.subscribersBefore}`;
  const rows = await db
    .select({
      severity: alerts.severity,
      count: sql<number>`count(*)::int`,
      strongest: sql<string>`(array_agg(${alerts.message} order by ${growth} desc))[1]`,
      cause: sql<StoredCause | null>`(array_agg(${alertCauseSql} order by ${growth} desc))[1]`,
    })
    .from(alerts)
    .where(and(isMeant, isInDigestWeekSql(alerts.createdAt, week)))
    .groupBy(alerts.severity);
  const severities = SEVERITY_SCALE.flatMap(({ severity, color }) =>
    rows.filter((row) => row.severity === severity).map((row) => ({ ...row, color })),
  );
  return {
    severities: severities.map(({ severity, color, count }) => ({ severity, color, count })),
    strongest: severities[0]?.strongest ?? null,
    cause: severities[0] ? toCauseProps(toAlertCause(severities[0].cause)) : null,
  };
}

/** How the alerts turned out that were graded in the week, after 7 or after 28 days. */
async function countWeekOutcomes({ db }: CoreContext, isMeant: SQL | undefined, week: Day) {
  const countSql = (outcome: (typeof OUTCOMES)[number]) => {
    const after7 = and(eq(alerts.outcome7d, outcome), isInDigestWeekSql(alerts.outcome7dAt, week));
    const after28 = and(eq(alerts.outcome28d, outcome), isInDigestWeekSql(alerts.outcome28dAt, week));
    return sql<number>`(count(*) filter (where ${after7}) + count(*) filter (where ${after28}))::int`;
  };
  const outcomes = { held: countSql("held"), faded: countSql("faded"), unclear: countSql("unclear") };
  const [counted] = await db.select(outcomes).from(alerts).where(isMeant);
  return counted ?? { held: 0, faded: 0, unclear: 0 };
}

/** Within the seven days that the digest of a Monday covers. */
function isInDigestWeekSql(column: PgColumn, week: Day): SQL | undefined {
  return and(gte(column, getDigestDue(addDays(week, -7))), lt(column, getDigestDue(week)));
}

/** The mail of a digest, as its delivery stores it. */
export async function renderDigest(ctx: MessageContext, digest: LoadedDigest, to: string): Promise<StoredMail> {
  const { keyId, keyLabel, week, ...content } = digest;
  const { unsubscribeUrl, headers } = createUnsubscribe(ctx, keyId, to);
  const { renderWeeklyDigest } = await import("@emails/weekly-digest");
  const rendered = await renderWeeklyDigest({
    ...content,
    firstDay: addDays(week, -7),
    lastDay: week,
    keyLabel,
    unsubscribeUrl,
    consoleUrl: `${ctx.appUrl}/overview`,
    sampleData: ctx.platform.name === "sample",
  });
  return toStoredMail(ctx, { ...rendered, headers });
}
