import { and, asc, eq, gte, inArray, isNull, lt, lte, or, sql } from "drizzle-orm";
import { DESTINATIONS, deliveries } from "@/core/db/schema";
import { errorMessage } from "@/core/errors";
import {
  beforehand,
  DestinationError,
  isDestinationError,
  isRefusal,
  requireTimely,
  TRY_LIMIT,
} from "@/core/mail/destination";
import type { Monitoring } from "@/core/mail/monitoring";
import { DAY, HOUR, instant, MINUTE, SECOND, within } from "@/core/time";
import { mailableEmail } from "./addresses.service";
import { type KeptMail, loadAlert, type MessageContext, postOf, renderMail } from "./messages.service";

/** What telling of alerts needs. */
export interface DeliveryContext extends MessageContext {
  monitoring: Monitoring;
}

export type Destination = (typeof DESTINATIONS)[number];

/** A try that was cut off by a crash is taken up again after this time; no try that lives takes so long. */
const LEASE = 5 * MINUTE;
/** Destinations remember an idempotency key for 24 hours; after this a repeated send could be a second mail. */
const MAX_DOUBT = 23 * HOUR;
/** What was refused so long is no news any more. */
const MAX_AGE = 7 * DAY;
/** An engine's clock and its waits may be off by so much. */
const EARLY = MINUTE;
/** The sweep takes up a delivery that was left alone for so long. */
const SWEEP_AFTER = 10 * MINUTE;
/** An engine repeats the first tries after up to five minutes, later ones after up to 40: those the sweep leaves longer. */
const QUICK_TRIES = 5;
const SWEEP_LATE_AFTER = HOUR;
/**
 * What waits for its turn for longer is taken for left: of each destination no more at once than half of what it takes
 * until the next sweep, as the turn of what turns out to be done is a turn lost.
 */
const MOST_SWEPT: Readonly<Record<Destination, number>> = { email: 600, monitoring: 300 };

/**
 * Makes one delivery of an alert, if it is still to be made: safe to call any number of times, by any number of
 * processes. One that a try of over 23 hours ago may have made is closed as unknown instead; one that has only been
 * refused is tried on for a week, and then closed as failed, as is at once what its destination will never take.
 * @throws whatever else the destination threw; the delivery is then open again, and left alone for as long as asked
 */
export async function deliver(
  ctx: DeliveryContext,
  alertId: string,
  destination: Destination,
): Promise<void> {
  if (await closeOverdue(ctx, alertId, destination)) return;
  const delivery = await claim(ctx, alertId, destination);
  if (!delivery) return askAgainIfEarly(ctx, alertId, destination);
  try {
    const attempt = destination === "email" ? sendMail(ctx, delivery) : postAlert(ctx, delivery);
    const outcome = await within(attempt, TRY_LIMIT, destination);
    const note = () => close(ctx, delivery, outcome);
    // Once more where the connection broke: what is not noted is done again.
    await note().catch(note);
  } catch (error) {
    const failure = patiently(ctx, delivery, error);
    await noteFailure(ctx, delivery, failure);
    if (!(isDestinationError(failure) && failure.final)) throw failure;
  }
}

/** A delivery that nobody works on any more. */
interface Stranded {
  alertId: string;
  destination: Destination;
}

/** Takes over what a sweep finds, the longest left alone first. The next sweeps leave these for as long again. */
export async function sweepStranded(ctx: DeliveryContext): Promise<Stranded[]> {
  const swept: Stranded[] = [];
  for (const destination of DESTINATIONS)
    swept.push(...(await takeStranded(ctx, SWEEP_AFTER, { destination, most: MOST_SWEPT[destination] })));
  return swept;
}

/**
 * Takes over deliveries that nobody works on any more, oldest first.
 * @param idleFor milliseconds for which a waiting delivery must have been left alone; 0 where no job can be alive
 * @param share which of them; all unless given
 */
export async function takeStranded(
  { db, clock }: DeliveryContext,
  idleFor: number,
  share?: { destination: Destination; most: number },
): Promise<Stranded[]> {
  const now = clock.now();
  const sinceWhen = sql`coalesce(${deliveries.triedAt}, ${deliveries.createdAt})`;
  const untouchedFor = (time: number) => lte(sinceWhen, instant(now.getTime() - time).toISOString());
  const isQuick = idleFor === 0 ? undefined : lte(deliveries.attempts, QUICK_TRIES);
  const idle = or(and(isQuick, untouchedFor(idleFor)), untouchedFor(SWEEP_LATE_AFTER));
  const cutOff = lt(deliveries.triedAt, instant(now.getTime() - LEASE));
  const isStranded = or(
    and(eq(deliveries.status, "pending"), idle),
    and(eq(deliveries.status, "sending"), cutOff),
  );
  // Apart, so that it is asked once, whatever the planner makes of it.
  const oldest = db.$with("oldest").as(
    db
      .select({ id: deliveries.id })
      .from(deliveries)
      .where(and(share && eq(deliveries.destination, share.destination), isStranded))
      .orderBy(asc(sinceWhen))
      .limit(share?.most ?? Number.MAX_SAFE_INTEGER)
      .for("update", { skipLocked: true }),
  );
  const rows = await db
    .with(oldest)
    .update(deliveries)
    // One that was cut off stays so until it is tried: whether its outcome is known depends on it.
    .set({
      triedAt: sql`case ${deliveries.status} when 'pending' then ${now.toISOString()}::timestamptz
        else ${deliveries.triedAt} end`,
    })
    .where(inArray(deliveries.id, db.select({ id: oldest.id }).from(oldest)))
    .returning({
      alertId: deliveries.alertId,
      destination: deliveries.destination,
      createdAt: deliveries.createdAt,
    });
  rows.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
  return rows.map(({ alertId, destination }) => ({ alertId, destination }));
}

type Delivery = typeof deliveries.$inferSelect;

async function claim(
  { db, clock }: DeliveryContext,
  alertId: string,
  destination: Destination,
): Promise<Delivery | undefined> {
  const now = clock.now();
  // Asked again: the process may have been halted since it looked for what is overdue.
  const isTimely = or(
    isNull(deliveries.begunAt),
    gte(deliveries.begunAt, instant(now.getTime() - MAX_DOUBT)),
  );
  const [claimed] = await db
    .update(deliveries)
    .set({
      status: "sending",
      begunAt: sql`coalesce(${deliveries.begunAt}, ${now.toISOString()}::timestamptz)`,
      triedAt: now,
      attempts: sql`${deliveries.attempts} + 1`,
    })
    .where(and(isOpen(alertId, destination, now), isTimely))
    .returning();
  return claimed;
}

async function closeOverdue(
  ctx: DeliveryContext,
  alertId: string,
  destination: Destination,
): Promise<boolean> {
  const now = ctx.clock.now();
  const isDoubtful = lt(deliveries.begunAt, instant(now.getTime() - MAX_DOUBT));
  const isOld = and(isNull(deliveries.begunAt), lt(deliveries.createdAt, instant(now.getTime() - MAX_AGE)));
  const [closed] = await ctx.db
    .update(deliveries)
    .set({
      status: sql`case when ${deliveries.begunAt} is null then 'failed' else 'unknown' end`,
      problem: sql`coalesce(${deliveries.problem}, case when ${deliveries.begunAt} is null
        then 'not tried for a week' else 'begun over 23 hours ago with unknown outcome' end)`,
      finishedAt: now,
    })
    .where(and(isOpen(alertId, destination, now), or(isDoubtful, isOld)))
    .returning({ status: deliveries.status, problem: deliveries.problem });
  if (closed) ctx.log.error({ alertId, destination, ...closed }, "a delivery was given up");
  return closed !== undefined;
}

/** The delivery, if it waits, not longer than its destination asked to, or its last try was cut off. */
function isOpen(alertId: string, destination: Destination, now: Date) {
  const leaseEnded = lt(deliveries.triedAt, instant(now.getTime() - LEASE));
  return and(
    eq(deliveries.alertId, alertId),
    eq(deliveries.destination, destination),
    or(
      and(eq(deliveries.status, "pending"), or(isNull(deliveries.triedAt), lte(deliveries.triedAt, now))),
      and(eq(deliveries.status, "sending"), leaseEnded),
    ),
  );
}

/** A job that comes a little before the time its destination asked for must not end as if there was nothing to do. */
async function askAgainIfEarly(
  ctx: DeliveryContext,
  alertId: string,
  destination: Destination,
): Promise<void> {
  const [early] = await ctx.db
    .select({ due: deliveries.triedAt })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.alertId, alertId),
        eq(deliveries.destination, destination),
        eq(deliveries.status, "pending"),
      ),
    );
  const wait = (early?.due?.getTime() ?? 0) - ctx.clock.now().getTime();
  // One that has long to wait is waited for by its own job, and by the sweep.
  if (wait > 0 && wait <= EARLY)
    throw new DestinationError("it is too early", { retryAfter: Math.ceil(wait / SECOND) });
}

/** How a try ended that did not fail. */
type Outcome = Pick<Delivery, "status" | "problem" | "messageId">;

const SENT: Outcome = { status: "sent", problem: null, messageId: null };
const NOBODY: Outcome = {
  status: "skipped",
  problem: "there is no address to be mailed",
  messageId: null,
};

const MAYBE: Outcome = {
  status: "unknown",
  problem: "begun with unknown outcome; its address is mailed no more",
  messageId: null,
};

async function close({ db, clock }: DeliveryContext, delivery: Delivery, outcome: Outcome): Promise<void> {
  // What was accepted was, whoever has taken over. That nobody is to be mailed, this try alone has found, and it is no
  // news where the mail service has told meanwhile that an earlier one arrived.
  const isAtWork = and(eq(deliveries.attempts, delivery.attempts), eq(deliveries.status, "sending"));
  await db
    .update(deliveries)
    .set({ ...outcome, finishedAt: clock.now() })
    .where(and(eq(deliveries.id, delivery.id), outcome.status === "sent" ? undefined : isAtWork));
}

/** Seconds for which what is in doubt is tried again as the engine does it: nearly all of it was not taken. */
const SOON = 300;

/** What a chat may have taken is posted again, in the end after as long as it has been in doubt: it shows each post, known or not. */
function patiently({ clock }: DeliveryContext, { destination, begunAt }: Delivery, error: unknown): unknown {
  if (destination !== "monitoring" || isRefusal(error) || begunAt === null) return error;
  const doubted = Math.ceil((clock.now().getTime() - begunAt.getTime()) / SECOND);
  if (doubted < SOON) return error;
  const { retryAfter, advice } = isDestinationError(error) ? error : new DestinationError("");
  return new DestinationError(errorMessage(error), {
    inDoubt: true,
    retryAfter: Math.max(retryAfter ?? 1, doubted),
    ...(advice && { advice }),
    cause: error,
  });
}

/** Opens the delivery again, or gives it up where its destination will never take it. */
async function noteFailure(ctx: DeliveryContext, delivery: Delivery, error: unknown): Promise<void> {
  const { db, clock, log } = ctx;
  const { id, alertId, destination, attempts } = delivery;
  const { final, retryAfter, advice } = isDestinationError(error) ? error : new DestinationError("");
  const problem = errorMessage(error);
  const now = clock.now();
  // A refusal leaves nothing in doubt, unless an earlier try did.
  const isUndoubted = isRefusal(error) && !isDoubtful(delivery);
  const [noted] = await db
    .update(deliveries)
    .set({
      problem,
      ...(isUndoubted && !final && { begunAt: null }),
      ...(final
        ? { status: "failed", finishedAt: now }
        : { status: "pending", triedAt: instant(now.getTime() + (retryAfter ?? 0) * SECOND) }),
    })
    // Unless another try has taken over, whose word counts.
    .where(and(eq(deliveries.id, id), eq(deliveries.status, "sending"), eq(deliveries.attempts, attempts)))
    .returning({ id: deliveries.id });
  // The operator is told once of each problem of a delivery, not at each try.
  if (noted && (final || (advice && problem !== delivery.problem)))
    log.error({ alertId, destination, problem, advice }, "a delivery was refused");
}

/** Whether a try before this one may have been taken; none was of which no mail was kept. */
function isDoubtful({ destination, mail, begunAt, triedAt }: Delivery): boolean {
  return begunAt?.getTime() !== triedAt?.getTime() && (destination !== "email" || mail !== null);
}

async function sendMail(ctx: DeliveryContext, delivery: Delivery): Promise<Outcome> {
  const { id, alertId } = delivery;
  const alert = await beforehand(loadAlert(ctx, alertId));
  const addressed = await beforehand(addressMail(ctx, delivery, alert));
  if ("status" in addressed) return addressed;
  const mail = {
    ...addressed.mail,
    to: addressed.recipient,
    tags: { kind: "alert", delivery: id, key: alert.keyId },
    idempotencyKey: `alert/${alertId}`,
  };
  const requireWanted = () => requireTimely(ctx, delivery.triedAt ?? delivery.createdAt, addressed.lookedAt);
  const messageId = await ctx.mailer.send(mail, requireWanted);
  return { ...SENT, messageId };
}

/**
 * The mail and whom it is for. One that may have been handed over belongs to its recipient; any other is made for
 * whoever is the key's address now, and made anew where that was replaced meanwhile: the first mail of a process takes a
 * second to make.
 */
async function addressMail(
  ctx: DeliveryContext,
  delivery: Delivery,
  alert: Awaited<ReturnType<typeof loadAlert>>,
): Promise<Outcome | { mail: KeptMail; recipient: string; lookedAt: Date }> {
  let { mail, recipient } = delivery;
  for (;;) {
    const lookedAt = ctx.clock.now();
    const current = await mailableEmail(ctx, alert.keyId);
    const isCurrent = recipient !== null && recipient.toLowerCase() === current?.toLowerCase();
    if (isDoubtful(delivery) && !isCurrent) return MAYBE;
    if (!current) return NOBODY;
    if (mail && recipient && isCurrent) return { mail, recipient, lookedAt };
    recipient = current;
    mail = await keepMail(ctx, delivery, recipient, await renderMail(ctx, alert, recipient));
  }
}

/** Stores the mail that this try has rendered. @returns it as every try will read it */
async function keepMail(
  { db }: DeliveryContext,
  { id, attempts }: Delivery,
  recipient: string,
  mail: KeptMail,
): Promise<KeptMail> {
  const [row] = await db
    .update(deliveries)
    .set({ mail, recipient })
    .where(and(eq(deliveries.id, id), eq(deliveries.attempts, attempts)))
    .returning({ mail: deliveries.mail });
  if (!row?.mail) throw new Error(`the delivery ${id} is being made by another process`);
  return row.mail;
}

async function postAlert(ctx: DeliveryContext, { alertId, triedAt, createdAt }: Delivery): Promise<Outcome> {
  const post = postOf(await beforehand(loadAlert(ctx, alertId)));
  requireTimely(ctx, triedAt ?? createdAt);
  await ctx.monitoring.post(post);
  return SENT;
}
