import { and, asc, eq, inArray, lt, lte, or, sql } from "drizzle-orm";
import { DESTINATIONS, deliveries } from "@/core/db/schema";
import { HOUR, instant } from "@/core/time";
import { type DeliveryContext, type Destination, LEASE } from "./deliveries.service";

/** The longest wait between two tries of a job is 40 minutes. */
const SWEEP_AFTER = HOUR;
/** Per destination: half of what its throttled function delivers until the next sweep. */
const MAX_SWEPT: Readonly<Record<Destination, number>> = { email: 600, monitoring: 300 };

type Stranded = { alertId: string; destination: Destination };

/** Takes the deliveries that have been left for an hour, oldest first. Another sweep leaves them alone for an hour. */
export async function sweepStranded(ctx: DeliveryContext): Promise<Stranded[]> {
  const swept: Stranded[] = [];
  for (const destination of DESTINATIONS)
    swept.push(...(await takeStranded(ctx, SWEEP_AFTER, { destination, limit: MAX_SWEPT[destination] })));
  return swept;
}

/**
 * Takes the deliveries that no process works on, oldest first.
 * @param idleFor milliseconds for which a pending delivery was left alone; 0 where no job can be running
 * @param share which of them; all by default
 */
export async function takeStranded(
  { db, clock }: DeliveryContext,
  idleFor: number,
  share?: { destination: Destination; limit: number },
): Promise<Stranded[]> {
  const now = clock.now();
  const since = sql`coalesce(${deliveries.triedAt}, ${deliveries.createdAt})`;
  const isIdle = lte(since, instant(now.getTime() - idleFor).toISOString());
  const isDead = lt(deliveries.triedAt, instant(now.getTime() - LEASE));
  const isStranded = or(
    and(eq(deliveries.status, "pending"), isIdle),
    and(eq(deliveries.status, "sending"), isDead),
  );
  // A common table expression, so that the planner runs it once.
  const oldest = db.$with("oldest").as(
    db
      .select({ id: deliveries.id })
      .from(deliveries)
      .where(and(share && eq(deliveries.destination, share.destination), isStranded))
      .orderBy(asc(since))
      .limit(share?.limit ?? Number.MAX_SAFE_INTEGER)
      .for("update", { skipLocked: true }),
  );
  const rows = await db
    .with(oldest)
    .update(deliveries)
    .set({ status: "pending", triedAt: now })
    .where(inArray(deliveries.id, db.select({ id: oldest.id }).from(oldest)))
    .returning({
      alertId: deliveries.alertId,
      destination: deliveries.destination,
      createdAt: deliveries.createdAt,
    });
  rows.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
  return rows.map(({ alertId, destination }) => ({ alertId, destination }));
}
