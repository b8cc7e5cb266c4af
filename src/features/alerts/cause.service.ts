import { and, eq, inArray, lt, type SQL, sql } from "drizzle-orm";
import { getErrorMessage } from "@/core/errors";
import { type Day, HOUR, MINUTE, SECOND, toDate } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { alertCauses, alerts } from "@/db/schema";
import { toIsoText } from "@/db/statement";
import { describeVideo, getVideoForm } from "@/features/videos/rules";
import { readVideos } from "@/features/videos/service";
import { type ChannelVideo, isPlatformError, type PlatformContext } from "@/platform/port";
import { type CauseProblem, classifyCause, type StoredCause } from "./cause.rules";

/** A channel that rose on a day. */
type Risen = Pick<typeof alertCauses.$inferSelect, "channelId" | "day">;
const RISEN = { channelId: alertCauses.channelId, day: alertCauses.day };

/** How old a pending cause is when its job counts as lost, and when it is given up. */
const LOST_AFTER = 10 * MINUTE;
const GIVEN_UP_AFTER = 6 * HOUR;

/** Builds the part of a `with` clause that creates the causes of new alerts, one for each channel. */
export function insertCausesSql(day: SQL, now: SQL): SQL {
  return sql`caused as (
      insert into alert_causes (channel_id, day, kind, created_at)
      select distinct channel_id, ${day}, 'pending', ${now} from made order by channel_id
      on conflict (channel_id, day) do nothing
    )`;
}

/** The cause of an alert in a query of alerts; null where none was ever to be read. */
export const alertCauseSql = sql<StoredCause | null>`(
  select jsonb_build_object('kind', kind, 'problem', problem, 'videos', videos, 'read_at', ${toIsoText(alertCauses.readAt)})
  from alert_causes where alert_causes.channel_id = alerts.channel_id and alert_causes.day = alerts.day)`;

/** The causes of a day's alerts that are not read yet. */
export function listPendingCauses({ db }: CoreContext, day: Day, channelIds: string[]): Promise<Risen[]> {
  return db
    .select(RISEN)
    .from(alertCauses)
    .where(and(eq(alertCauses.day, day), inArray(alertCauses.channelId, channelIds), isPending))
    .orderBy(alertCauses.channelId);
}

const isPending = eq(alertCauses.kind, "pending");

/** Reads the videos of a channel that rose and stores the cause, or why it is unknown. A cause that is known stays. */
export async function readCause(ctx: PlatformContext, risen: Risen): Promise<void> {
  const [pending] = await ctx.db
    .select({ gained: sql<number>`max(${alerts.subscribersAfter} - ${alerts.subscribersBefore})::float8` })
    .from(alertCauses)
    .innerJoin(alerts, and(eq(alerts.channelId, alertCauses.channelId), eq(alerts.day, alertCauses.day)))
    .where(isPendingSql(risen))
    .groupBy(alertCauses.channelId);
  if (!pending) return;
  const read = await tryReading(ctx, risen);
  if (typeof read === "string") return storeUnknown(ctx, risen, read);
  const { kind, videos } = classifyCause(read, pending.gained, ctx.clock.now());
  const named = videos.map((one) => ({ ...describeVideo(one), is_short: getVideoForm(one.video) === "short" }));
  await storeCause(ctx, risen, { kind, problem: null, videos: named });
}

async function tryReading(ctx: PlatformContext, { channelId }: Risen): Promise<ChannelVideo[] | CauseProblem> {
  try {
    return (await readVideos(ctx, channelId, "cause")) ?? "no_videos_known";
  } catch (error) {
    if (!isPlatformError(error)) throw error;
    ctx.log.warn({ channelId, problem: getErrorMessage(error) }, "the cause of an alert could not be read");
    return error.failure === "quota_exhausted" ? "out_of_units" : "no_answer";
  }
}

/** Stores that a cause is unknown, unless it is known. */
export function storeUnknown(ctx: CoreContext, risen: Risen, problem: CauseProblem): Promise<void> {
  return storeCause(ctx, risen, { kind: "unknown", problem, videos: [] });
}

type Finding = Pick<typeof alertCauses.$inferInsert, "kind" | "problem" | "videos">;

async function storeCause({ db, clock }: CoreContext, risen: Risen, finding: Finding): Promise<void> {
  const found = { ...finding, readAt: clock.now() };
  await db.update(alertCauses).set(found).where(isPendingSql(risen));
}

function isPendingSql({ channelId, day }: Risen): SQL | undefined {
  return and(eq(alertCauses.channelId, channelId), eq(alertCauses.day, day), isPending);
}

/** Whether the cause of an alert is still to be read. */
export async function isCausePending({ db }: CoreContext, alertId: string): Promise<boolean> {
  const [row] = await db
    .select({ kind: alertCauses.kind })
    .from(alerts)
    .innerJoin(alertCauses, and(eq(alertCauses.channelId, alerts.channelId), eq(alertCauses.day, alerts.day)))
    .where(and(eq(alerts.id, alertId), isPending));
  return row !== undefined;
}

/**
 * Finds the pending causes whose job was lost, and gives up those older than six hours.
 * @param lostAfter milliseconds; 0 where no job can be running
 */
export async function takeLostCauses(ctx: CoreContext, lostAfter = LOST_AFTER): Promise<Risen[]> {
  const now = ctx.clock.now();
  const isOlderThan = (age: number) => lt(alertCauses.createdAt, toDate(now.getTime() - age + SECOND));
  await ctx.db
    .update(alertCauses)
    .set({ kind: "unknown", problem: "too_late", readAt: now })
    .where(and(isPending, isOlderThan(GIVEN_UP_AFTER)));
  return ctx.db
    .select(RISEN)
    .from(alertCauses)
    .where(and(isPending, isOlderThan(lostAfter)))
    .orderBy(alertCauses.createdAt, alertCauses.channelId);
}

/** Deletes the causes without alerts, and of those read before an instant all but the kind and the ids of videos. */
export async function purgeCauses({ db }: CoreContext, before: Date): Promise<void> {
  await db.execute(sql`
    delete from ${alertCauses} as cause
    where not exists (select from ${alerts} as made where made.channel_id = cause.channel_id and made.day = cause.day)`);
  await db.execute(sql`
    update ${alertCauses} set videos = (
      select jsonb_agg(jsonb_build_object('video_id', video -> 'video_id')) from jsonb_array_elements(videos) as video
    )
    where read_at < ${before.toISOString()}::timestamptz and jsonb_path_exists(videos, '$[*].title')`);
}
