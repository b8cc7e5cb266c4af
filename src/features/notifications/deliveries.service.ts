import { and, asc, eq, inArray, isNull, lt, lte, or, type SQL, sql } from "drizzle-orm";
import { getErrorMessage } from "@/core/errors";
import { DestinationError, isDestinationError, isRefusal } from "@/core/mail/destination";
import { DAY, HOUR, MINUTE, SECOND, toDate } from "@/core/time";
import { deliveries } from "@/db/schema";
import type { DestinationName } from "@/db/values";
import type { Delivery, DeliveryContext, Message, Outcome } from "./destinations/port.service";
import { destinations, getDestination } from "./destinations.service";
import { findDeliveryKey, omitAddresses, reportRefusal } from "./mail-events.service";

/** How long a try holds its delivery. A try that takes longer has crashed. */
export const LEASE = 5 * MINUTE;
const USUAL_TRY = 2 * SECOND;
/** Resend remembers an idempotency key for 24 hours. After that, another send could be a second mail. */
const MAX_UNKNOWN_AGE = 23 * HOUR;
/** How long a refused delivery is tried again. */
const MAX_AGE = 7 * DAY;
/** Two instances' clocks may differ by this much. */
const CLOCK_SKEW = 5 * SECOND;
type Subject = Pick<Delivery, "alertId" | "digestId" | "destination">;

/**
 * Makes one delivery of an alert if it is due. Safe to call any number of times, by any number of processes. A delivery
 * whose outcome has been unknown for 23 hours is closed as unknown, one that was refused for a week as failed.
 * @throws the destination's error if the delivery stays open, to be tried again
 */
export function deliver(ctx: DeliveryContext, alertId: string, destination: DestinationName): Promise<void> {
  return attemptDelivery(ctx, and(eq(deliveries.alertId, alertId), eq(deliveries.destination, destination)));
}

/** The same for the mail of a weekly digest. */
export function deliverDigest(ctx: DeliveryContext, digestId: string): Promise<void> {
  return attemptDelivery(ctx, eq(deliveries.digestId, digestId));
}

async function attemptDelivery(ctx: DeliveryContext, which: SQL | undefined): Promise<void> {
  const delivery = await leaseDelivery(ctx, which);
  if (!delivery) return requireNoOtherTry(ctx, which);
  const overdue = getOverdueOutcome(delivery);
  if (overdue) {
    await closeDelivery(ctx, delivery, overdue);
    return reportProblem(ctx, delivery, overdue, "a delivery was given up");
  }
  try {
    const outcome = await attempt(ctx, delivery);
    const storeOutcome = () => closeDelivery(ctx, delivery, outcome);
    // Retried once, because a post whose outcome is not stored is posted again.
    await storeOutcome().catch(storeOutcome);
  } catch (error) {
    await recordFailure(ctx, delivery, error);
    if (!(isDestinationError(error) && error.final)) throw error;
  }
}

async function attempt(ctx: DeliveryContext, delivery: Delivery): Promise<Outcome> {
  const message = await getDestination(delivery.destination).render(ctx, delivery);
  if (!("send" in message)) return message;
  const { send, ...stored } = message;
  const messageId = await send(await startHandover(ctx, delivery, stored));
  return { status: "sent", problem: null, messageId };
}

/** Leases a delivery for one try, if it is pending and its wait is over, or its last try crashed. */
async function leaseDelivery({ db, clock }: DeliveryContext, which: SQL | undefined) {
  const now = clock.now();
  const { status, triedAt } = deliveries;
  const isWaitOver = or(isNull(triedAt), lte(triedAt, toDate(now.getTime() + CLOCK_SKEW)));
  const isLeaseOver = lt(triedAt, toDate(now.getTime() - LEASE));
  const isDue = or(and(eq(status, "pending"), isWaitOver), and(eq(status, "sending"), isLeaseOver));
  const [leased] = await db
    .update(deliveries)
    .set({ status: "sending", triedAt: now, attempts: sql`${deliveries.attempts} + 1` })
    .where(and(which, isDue))
    .returning();
  return leased;
}

/**
 * @throws DestinationError while another try holds the delivery, with the seconds to wait: a moment, in which most tries end,
 * then ever longer, at most until its lease ends, because it may have crashed
 */
async function requireNoOtherTry({ db, clock }: DeliveryContext, which: SQL | undefined): Promise<void> {
  const [held] = await db
    .select({ triedAt: deliveries.triedAt })
    .from(deliveries)
    .where(and(which, eq(deliveries.status, "sending")));
  if (!held?.triedAt) return;
  const age = clock.now().getTime() - held.triedAt.getTime();
  const wait = Math.min(Math.max(USUAL_TRY, 3 * age), LEASE - age);
  throw new DestinationError("another try may be under way", { retryAfter: Math.max(1, Math.ceil(wait / SECOND)) });
}

/** What a delivery is about, and where it goes. */
function getSubject({ alertId, digestId, destination }: Subject) {
  return digestId === null ? { alertId: alertId ?? "", destination } : { digestId, destination };
}

function getOverdueOutcome({ outcomeUnknownSince, createdAt, triedAt, problem }: Delivery): Outcome | null {
  const age = (triedAt ?? createdAt).getTime() - (outcomeUnknownSince ?? createdAt).getTime();
  if (age <= (outcomeUnknownSince ? MAX_UNKNOWN_AGE : MAX_AGE)) return null;
  return outcomeUnknownSince
    ? { status: "unknown", problem: problem ?? "outcome unknown for 23 hours" }
    : { status: "failed", problem: problem ?? "not tried for a week" };
}

/** The delivery still belongs to this try. */
function isCurrentAttemptSql({ id, attempts }: Delivery) {
  return and(eq(deliveries.id, id), eq(deliveries.status, "sending"), eq(deliveries.attempts, attempts));
}

/**
 * Stores the mail that is about to leave. From here until an answer is noted, the outcome is unknown.
 * @returns the mail as every try reads it: jsonb changes the order of its fields
 */
async function startHandover(ctx: DeliveryContext, delivery: Delivery, message: Omit<Message, "send">) {
  const { db, clock } = ctx;
  const now = clock.now().toISOString();
  const outcomeUnknownSince = sql`coalesce(${deliveries.outcomeUnknownSince}, ${now}::timestamptz)`;
  const [begun] = await db
    .update(deliveries)
    .set({ ...message, outcomeUnknownSince })
    .where(isCurrentAttemptSql(delivery))
    .returning({ mail: deliveries.mail });
  if (!begun) throw new DestinationError("another process makes this delivery");
  return begun.mail;
}

async function closeDelivery({ db, clock }: DeliveryContext, delivery: Delivery, outcome: Outcome): Promise<void> {
  const isSent = outcome.status === "sent";
  await db
    .update(deliveries)
    .set({ ...outcome, finishedAt: clock.now(), ...(isSent && { outcomeUnknownSince: null }) })
    // A mail event may have closed it as sent in the meantime.
    .where(isSent ? eq(deliveries.id, delivery.id) : isCurrentAttemptSql(delivery));
}

/** Opens the delivery for its next try, or closes it if its destination will never accept it. */
async function recordFailure(ctx: DeliveryContext, delivery: Delivery, error: unknown): Promise<void> {
  const { db, clock } = ctx;
  const { final, advice } = isDestinationError(error) ? error : new DestinationError("");
  const problem = omitAddresses(getErrorMessage(error));
  const now = clock.now();
  const next = final
    ? { status: "failed" as const, finishedAt: now }
    : { status: "pending" as const, triedAt: toDate(now.getTime() + computeWait(delivery, error, now)) };
  const [noted] = await db
    .update(deliveries)
    // After a refusal only an earlier try can have an unknown outcome.
    .set({ problem, ...next, ...(isRefusal(error) && { outcomeUnknownSince: delivery.outcomeUnknownSince }) })
    .where(isCurrentAttemptSql(delivery))
    .returning({ id: deliveries.id });
  // Each problem of a delivery is logged once, not at every try.
  if (noted && (final || (advice && problem !== delivery.problem)))
    await reportProblem(ctx, delivery, { status: next.status, problem, advice }, "a delivery was refused");
}

type Problem = Pick<Delivery, "status" | "problem"> & { advice?: string };

/** Logs a problem of a delivery with its key, and posts a mail that failed. */
async function reportProblem(ctx: DeliveryContext, delivery: Delivery, found: Problem, message: string): Promise<void> {
  const keyId = await findDeliveryKey(ctx, delivery.id);
  const { status, ...reason } = found;
  ctx.log.error({ keyId, ...getSubject(delivery), ...reason }, message);
  if (keyId && status === "failed" && delivery.destination === "email")
    await reportRefusal(ctx, keyId, delivery.id, found.problem ?? "no reason given");
}

/** Milliseconds until the next try: what the destination asked for, and what a repeated message must wait. */
function computeWait({ destination, outcomeUnknownSince }: Delivery, error: unknown, now: Date): number {
  const requestedWait = (isDestinationError(error) && error.retryAfter ? error.retryAfter : 0) * SECOND;
  if (isRefusal(error) || !outcomeUnknownSince) return requestedWait;
  const unknownFor = now.getTime() - outcomeUnknownSince.getTime();
  return Math.max(requestedWait, getDestination(destination).getRepeatWait(unknownFor));
}

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
