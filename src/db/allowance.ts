import { and, eq, inArray, lt, ne, or, sql } from "drizzle-orm";
import { addDays, type Day, toUtcDay } from "@/core/time";
import { type CoreContext, inTransaction } from "./context";
import { dailyAllowances } from "./schema";
import type { AllowanceKind } from "./values";

/** What may be used a number of times a day, by whom, on which day. */
export interface Allowance {
  kind: AllowanceKind;
  /** The whole service when left out. */
  scope?: { key: string } | { address: string };
  day: Day;
}

const SERVICE = "service";
const ROW_KEY = [dailyAllowances.scope, dailyAllowances.kind, dailyAllowances.day];

function toRow({ kind, scope, day }: Allowance) {
  const keyId = scope && "key" in scope ? scope.key : null;
  const holder = scope && "address" in scope ? buildAddressScope(scope.address) : SERVICE;
  return { scope: keyId ?? holder, kind, day, keyId };
}

function buildAddressScope(address: string): string {
  return `address ${address}`;
}

function isAllowanceSql(allowance: Allowance) {
  const { scope, kind, day } = toRow(allowance);
  return and(eq(dailyAllowances.scope, scope), eq(dailyAllowances.kind, kind), eq(dailyAllowances.day, day));
}

/** Takes one of an allowance, in one statement: parallel callers never pass the limit. @returns whether one was left */
export async function take({ db, clock }: CoreContext, allowance: Allowance, limit: number): Promise<boolean> {
  const { scope, kind, day, keyId } = toRow(allowance);
  const taken = await db.execute(sql`
    insert into daily_allowances as spent (scope, kind, day, used, key_id)
    select ${scope}, ${kind}, ${day}::date, 1, ${keyId} where ${limit}::int >= 1
    on conflict (scope, kind, day) do update set used = spent.used + 1
      where spent.used < ${limit}::int
        and coalesce(spent.exhausted_until <= ${clock.now().toISOString()}::timestamptz, true)
    returning used`);
  return taken.length > 0;
}

/** Takes as much of a wanted amount as is left. @returns how much */
export function takeUpTo(ctx: CoreContext, allowance: Allowance, limit: number, wanted: number): Promise<number> {
  return inTransaction(ctx, async ({ db }) => {
    // Locks the row, so that concurrent callers never pass the limit.
    const [held] = await db
      .insert(dailyAllowances)
      .values({ ...toRow(allowance), used: 0 })
      .onConflictDoUpdate({ target: ROW_KEY, set: { used: dailyAllowances.used } })
      .returning({ used: dailyAllowances.used });
    const granted = Math.max(0, Math.min(wanted, limit - (held?.used ?? 0)));
    const used = sql`${dailyAllowances.used} + ${granted}::int`;
    await db.update(dailyAllowances).set({ used }).where(isAllowanceSql(allowance));
    return granted;
  });
}

/** Gives back what was taken and not used. */
export async function giveBack({ db }: CoreContext, allowance: Allowance, amount = 1): Promise<void> {
  await db
    .update(dailyAllowances)
    .set({ used: sql`greatest(${dailyAllowances.used} - ${amount}::int, 0)` })
    .where(isAllowanceSql(allowance));
}

/** What was used of an allowance, and until when nothing is left whatever was used. */
export async function getSpent({ db }: CoreContext, allowance: Allowance) {
  const [spent] = await db
    .select({ used: dailyAllowances.used, exhaustedUntil: dailyAllowances.exhaustedUntil })
    .from(dailyAllowances)
    .where(isAllowanceSql(allowance));
  return spent ?? { used: 0, exhaustedUntil: null };
}

/** How many are left of an allowance. */
export async function getLeft(ctx: CoreContext, allowance: Allowance, limit: number): Promise<number> {
  return Math.max(0, limit - (await getSpent(ctx, allowance)).used);
}

/** Marks an allowance as used up until an instant, whatever was counted. */
export async function markExhausted({ db }: CoreContext, allowance: Allowance, until: Date): Promise<void> {
  await db
    .insert(dailyAllowances)
    .values({ ...toRow(allowance), used: 0, exhaustedUntil: until })
    .onConflictDoUpdate({ target: ROW_KEY, set: { exhaustedUntil: until } });
}

/** Deletes the counts of addresses. */
export async function forgetAddresses({ db }: CoreContext, addresses: readonly string[]): Promise<void> {
  await db.delete(dailyAllowances).where(inArray(dailyAllowances.scope, addresses.map(buildAddressScope)));
}

/**
 * Deletes the counts of keys and addresses of past days, and those of the service before its oldest record.
 * The day before stays, because it is still today in Los Angeles.
 */
export async function purgeAllowances({ db, clock }: CoreContext, oldestRecord: Day): Promise<void> {
  const isPast = and(ne(dailyAllowances.scope, SERVICE), lt(dailyAllowances.day, addDays(toUtcDay(clock.now()), -1)));
  await db.delete(dailyAllowances).where(or(isPast, lt(dailyAllowances.day, oldestRecord)));
}
