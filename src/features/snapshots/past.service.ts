import { type SQL, sql } from "drizzle-orm";
import { type Day, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { prepareStatement } from "@/db/statement";
import { SCORE_VERSION } from "@/features/growth/score.rules";
import type { ChannelStats } from "@/platform/port";

const insertSnapshots: SQL = sql`
  insert into snapshots (channel_id, day, read_at, source, subscribers, views, videos, score_version, score_parts)
  select id, ${sql.placeholder("day")}::date, ${sql.placeholder("readAt")}::timestamptz, 'track', given.subscribers,
    given.views, given.videos, ${SCORE_VERSION}, '{}'
  from jsonb_to_recordset(${sql.placeholder("stats")}::jsonb)
    as given ("channelId" text, subscribers int8, views int8, videos int4)
    join channels on id = "channelId"
  order by id
  on conflict do nothing`;
const storePast = prepareStatement<never, { stats: string; day: Day; readAt: string }>(insertSnapshots);

/** Stores statistics of known channels as the day's snapshots, without a score. Snapshots of that day stay. */
export async function storePastSnapshots({ db, clock }: CoreContext, stats: readonly ChannelStats[]): Promise<void> {
  const readAt = clock.now();
  await storePast(db, { stats: JSON.stringify(stats), day: toUtcDay(readAt), readAt: readAt.toISOString() });
}
