import { and, asc, eq, inArray, lt, lte, or, sql } from "drizzle-orm";
import { HOUR, MINUTE, toDate } from "@/core/time";
import { deliveries } from "@/db/schema";
import type { DestinationName } from "@/db/values";
import { getSubject, LEASE } from "./deliveries.service";
import type { DeliveryContext } from "./destinations/port.service";
import { destinations } from "./destinations.service";

/** A job repeats its first tries within five minutes, later ones within 40. */
const SWEEP_AFTER = 10 * MINUTE;
const QUICK_TRIES = 5;
const SWEEP_LATE_AFTER = HOUR;
/** Of each destination: half of the deliveries that its pace allows until the next sweep. */
const SWEPT_SECONDS = 300;

type StrandedDelivery = ReturnType<typeof getSubject>;

/** Takes idle deliveries, oldest first, and restarts their idle time. */
export async function sweepStranded(ctx: DeliveryContext): Promise<StrandedDelivery[]> {
  const swept: StrandedDelivery[] = [];
  for (const { name, perSecond } of destinations) {
    const share = { destination: name, limit: perSecond * SWEPT_SECONDS };
    swept.push(...(await takeStranded(ctx, SWEEP_AFTER, share)));
  }
  return swept;
}

/** The deliveries whose try may have been cut off by the end of a process, oldest first. They are due when its lease ends. */
export async function listHeld({ db }: DeliveryContext): Promise<StrandedDelivery[]> {
  const { alertId, digestId, destination } = deliveries;
  const held = await db
    .select({ alertId, digestId, destination })
    .from(deliveries)
    .where(eq(deliveries.status, "sending"))
    .orderBy(asc(deliveries.createdAt));
  return held.map(getSubject);
}

/**
 * Takes the deliveries that no process works on, oldest first.
 * @param idleFor milliseconds for which a pending delivery was left alone; 0 where no job can be running
 * @param share which of them; all by default
 */
export async function takeStranded(
  { db, clock }: DeliveryContext,
  idleFor: number,
  share?: { destination: DestinationName; limit: number },
): Promise<StrandedDelivery[]> {
  const { id, alertId, digestId, destination, status, attempts, triedAt, createdAt } = deliveries;
  const now = clock.now();
  const since = sql`coalesce(${triedAt}, ${createdAt})`;
  const isIdleFor = (time: number) => lte(since, toDate(now.getTime() - time).toISOString());
  const isQuick = idleFor === 0 ? undefined : lte(attempts, QUICK_TRIES);
  const isIdle = or(and(isQuick, isIdleFor(idleFor)), isIdleFor(SWEEP_LATE_AFTER));
  const isDead = lt(triedAt, toDate(now.getTime() - LEASE));
  const isStranded = or(and(eq(status, "pending"), isIdle), and(eq(status, "sending"), isDead));
  const isShared = share && eq(destination, share.destination);
  const stranded = db.select({ id }).from(deliveries).where(and(isShared, isStranded)).orderBy(asc(since));
  const first = stranded.limit(share?.limit ?? Number.MAX_SAFE_INTEGER).for("update", { skipLocked: true });
  // A common table expression, so that the planner runs it once.
  const oldest = db.$with("oldest").as(first);
  const rows = await db
    .with(oldest)
    .update(deliveries)
    .set({ status: "pending", triedAt: now })
    .where(inArray(id, db.select({ id: oldest.id }).from(oldest)))
    .returning({ alertId, digestId, destination, createdAt });
  rows.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
  return rows.map(getSubject);
}
