import { addDays, startOfDay, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { alerts, channels, snapshots, trackedCreators } from "@/db/schema";
import { compareChannels } from "@/features/backtest/comparison.service";
import { SCORE_VERSION } from "@/features/growth/score.rules";
import { issueKey } from "@/features/keys/service";

const CREATORS = 100;
/** Of creators that grew by 10%, out of their range and above the 5% of the chance. */
const GREW = 25;

/**
 * Makes a record of 100 graded weeks: each creator had a chance of 20% to grow 5% in 7 days and a range of 0 to 2%, and
 * 25 grew by 10%. Two had an alert with a chance of 60% to hold, and one of these held.
 */
export async function recordGrades(ctx: CoreContext): Promise<void> {
  const today = toUtcDay(ctx.clock.now());
  const given = addDays(today, -7);
  const { record } = await issueKey(ctx, { tier: "free", label: "record" });
  const creators = Array.from({ length: CREATORS }, (_, index) => ({
    id: `UC${String(index).padStart(22, "0")}`,
    later: index < GREW ? 1100 : 1000,
  }));
  const scored = { score: 40, scoreBasis: "history", scoreVersion: SCORE_VERSION } as const;
  // In one transaction, so that no purge meets a creator without its key.
  await ctx.db.transaction(async (tx) => {
    await tx
      .insert(channels)
      .values(creators.map(({ id }) => ({ id, name: id, status: "active" as const, subscribers: 1000, ...scored })));
    await tx
      .insert(trackedCreators)
      .values(creators.map(({ id: channelId }) => ({ keyId: record.id, channelId, trackedSince: startOfDay(given) })));
    await tx.insert(snapshots).values(
      creators.flatMap(({ id, later }) => {
        const row = { channelId: id, source: "daily" as const, score: 40, scoreVersion: SCORE_VERSION, scoreParts: {} };
        return [
          {
            ...{ ...row, day: given, readAt: startOfDay(given), subscribers: 1000, chance7d: 0.2 },
            ...{ expected7d: { low: 0, high: 2 }, scoreParts: { persistence: 1 } },
          },
          { ...row, day: today, readAt: startOfDay(today), subscribers: later },
        ];
      }),
    );
  });
  await compareChannels(ctx, today, true);
  for (const [index, outcome7d] of (["held", "faded"] as const).entries()) {
    const channelId = creators[index]?.id ?? "";
    await ctx.db.insert(alerts).values({
      ...{ keyId: record.id, channelId, day: given, subscribersBefore: 900, subscribersAfter: 1000 },
      ...{ severity: "WATCH", message: "grew", createdAt: startOfDay(given), label: "single_day", reason: "It grew." },
      ...{ heldChance: 0.6, fittedHeldChance: 0.6, outcome7d, outcome7dAt: startOfDay(today) },
    });
  }
}
