import { and, inArray, isNotNull, notInArray, sql } from "drizzle-orm";
import type { Day } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { alerts, chanceCorrections } from "@/db/schema";
import { CORRECTED } from "@/db/values";
import { type Corrected, fitCorrection, type GradedChances } from "@/features/growth/correction.rules";
import type { Reliability } from "./chances.rules";
import type { Accuracy } from "./comparison.service";

export type StoredCorrection = typeof chanceCorrections.$inferSelect;

/** The corrections in use. */
export function listCorrections({ db }: CoreContext): Promise<StoredCorrection[]> {
  return db.select().from(chanceCorrections);
}

/** Fits each chance's correction to its graded record, if long enough. @param calibration of the chances as fitted */
export async function refreshCorrections(ctx: CoreContext, day: Day, calibration: Accuracy["calibration"] | undefined) {
  const records: Record<Corrected, GradedChances[]> = {
    chance_7d: listGraded(calibration?.chance_7d.bins ?? []),
    chance_28d: listGraded(calibration?.chance_28d.bins ?? []),
    held_chance: await listGradedAlerts(ctx),
  };
  const fitted = CORRECTED.flatMap((chance) => {
    const correction = fitCorrection(chance, records[chance]);
    const graded = records[chance].reduce((sum, one) => sum + one.graded, 0);
    return correction ? [{ chance, ...correction, graded, fittedOn: day }] : [];
  });
  const kept = fitted.map(({ chance }) => chance);
  await ctx.db.delete(chanceCorrections).where(notInArray(chanceCorrections.chance, kept));
  const target = chanceCorrections.chance;
  for (const set of fitted) await ctx.db.insert(chanceCorrections).values(set).onConflictDoUpdate({ target, set });
}

function listGraded(bins: Reliability["bins"]): GradedChances[] {
  return bins.map(({ channels, predicted, seen }) => ({
    chance: predicted ?? 0,
    graded: channels,
    came: Math.round(channels * (seen ?? 0)),
  }));
}

/** The chances of holding as they were fitted, with their outcomes. A channel's alerts of one day count once. */
async function listGradedAlerts({ db }: CoreContext): Promise<GradedChances[]> {
  const days = db
    .selectDistinct({
      channelId: alerts.channelId,
      day: alerts.day,
      chance: sql<number>`${alerts.fittedHeldChance}`.as("chance"),
      came: sql<number>`(${alerts.outcome7d} = 'held')::int`.as("came"),
    })
    .from(alerts)
    .where(and(isNotNull(alerts.fittedHeldChance), inArray(alerts.outcome7d, ["held", "faded"])))
    .as("days");
  return db
    .select({ chance: days.chance, graded: sql<number>`count(*)::int`, came: sql<number>`sum(${days.came})::int` })
    .from(days)
    .groupBy(days.chance);
}
