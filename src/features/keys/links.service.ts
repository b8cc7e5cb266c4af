import { and, eq, gt, isNull } from "drizzle-orm";
import { AppError } from "@/core/errors";
import { createToken, hashOfToken } from "@/core/http/signing";
import { HOUR, toDate } from "@/core/time";
import { type CoreContext, inTransaction } from "@/db/context";
import { keyRequests } from "@/db/schema";
import type { Tier } from "@/db/values";
import type { MailContext } from "@/features/context";
import type { IssuedKey } from "./schema";
import { issueKey } from "./service";

const LINK_HOURS = 72;

type IssuedLink = Awaited<ReturnType<typeof issueLink>>;

/**
 * Makes the one-time link of a request. The key is made when the link's button is pressed. A second link ends the first.
 * @throws AppError `not_found`, also when the request has its key
 */
export async function issueLink(
  { db, clock, appUrl }: CoreContext & Pick<MailContext, "appUrl">,
  id: string,
  chosen: { tier?: Tier; label?: string } = {},
) {
  const { token, tokenHash } = createToken();
  const expiresAt = toDate(clock.now().getTime() + LINK_HOURS * HOUR);
  const isOpen = and(eq(keyRequests.id, id), isNull(keyRequests.usedAt));
  const [request] = await db.select().from(keyRequests).where(isOpen);
  const label = chosen.label ?? request?.name ?? "";
  const tier = chosen.tier ?? request?.tier ?? "free";
  const issued = { tokenHash, issuedLabel: label, issuedTier: tier, linkExpiresAt: expiresAt };
  const { count } = await db.update(keyRequests).set(issued).where(isOpen);
  if (!request || count === 0)
    throw new AppError("not_found", `No open request has the id "${id}". See: npm run keys -- requests`);
  return { id, url: `${appUrl}/key/${token}`, email: request.email, label, tier, expiresAt };
}

/** Mails a one-time link to the address of its request. @throws DestinationError */
export async function mailLink(
  { mailer, appUrl }: Pick<MailContext, "mailer" | "appUrl">,
  { id, url, email, label, tier, expiresAt }: IssuedLink,
): Promise<void> {
  const { renderKeyLink } = await import("@emails/key-link");
  const times = { expiresAt: expiresAt.toISOString(), consoleUrl: `${appUrl}/overview` };
  const mail = await renderKeyLink({ label, tier, keyUrl: url, ...times });
  // Each link is a mail of its own.
  const idempotencyKey = `key-link/${id}/${expiresAt.getTime()}`;
  await mailer.send({ ...mail, to: email, headers: {}, tags: { kind: "key-link" }, idempotencyKey });
}

const ENDED = { state: "ended" } as const;

/** What a one-time link would do. Reading it never uses it up, because mail scanners open links. */
export async function readLink({ db, clock }: CoreContext, token: string) {
  const tokenHash = hashOfToken(token);
  if (tokenHash === null) return ENDED;
  const [row] = await db.select().from(keyRequests).where(eq(keyRequests.tokenHash, tokenHash));
  if (row?.usedAt) return { state: "used", usedAt: row.usedAt } as const;
  const { issuedLabel: label, issuedTier: tier, linkExpiresAt: expiresAt } = row ?? {};
  if (!label || !tier || !expiresAt || expiresAt <= clock.now()) return ENDED;
  return { state: "ready", label, tier, expiresAt } as const;
}

/** Makes the key of a one-time link, once; null when the link was used, has expired or is unknown. */
export async function redeemLink(ctx: CoreContext, token: string): Promise<IssuedKey | null> {
  const tokenHash = hashOfToken(token);
  if (tokenHash === null) return null;
  const now = ctx.clock.now();
  return inTransaction(ctx, async (tx) => {
    const isReady = and(isNull(keyRequests.usedAt), gt(keyRequests.linkExpiresAt, now));
    const own = tx.db
      .select()
      .from(keyRequests)
      .where(and(eq(keyRequests.tokenHash, tokenHash), isReady));
    // A parallel press waits here, then finds the link used.
    const [row] = await own.for("update");
    if (!row?.issuedLabel || !row.issuedTier) return null;
    const issued = await issueKey(tx, { label: row.issuedLabel, tier: row.issuedTier });
    await tx.db.update(keyRequests).set({ usedAt: now, keyId: issued.record.id }).where(eq(keyRequests.id, row.id));
    return issued;
  });
}
