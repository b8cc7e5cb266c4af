import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Env } from "@/core/env";
import { parseJson } from "@/core/http/call";
import { type Check, type CheckResult, createFault, createNote, createOk } from "@/core/http/check";
import { findMailableEmail, mailableEmailsSql } from "../addresses.service";
import { findDigestEmail, isQuiet, loadDigest, renderDigest } from "../digests.service";
import { loadAlert, renderAlertMail } from "../messages.service";
import { isMuted } from "../mutes.service";
import type { Delivery, DeliveryContext, Destination, Message, Outcome } from "./port.service";

const SKIPPED: Outcome = { status: "skipped", problem: "the key has no address to mail" };
const MUTED: Outcome = { status: "skipped", problem: "the key muted this creator" };
const QUIET: Outcome = { status: "skipped", problem: "nothing happened in the week" };
const UNKNOWN: Outcome = { status: "unknown", problem: "outcome unknown, and this address gets no more such mails" };

/** Alerts and weekly digests, mailed to the key's address. */
export const email: Destination = {
  name: "email",
  title: "email",
  jobId: "email-alert",
  perSecond: 2,
  hasDigests: true,
  recipientsSql: () => sql`
    select made.id, address.email as recipient
    from made join (${mailableEmailsSql()}) as address on address.key_id = made.key_id
    where not exists (
      select from muted_creators as muted
      where muted.key_id = made.key_id and muted.channel_id = made.channel_id
    )`,
  render: renderMail,
  // The mail service accepts a mail once, however often it is sent.
  getRepeatWait: () => 0,
  listChecks: listEmailChecks,
};

async function renderMail(ctx: DeliveryContext, delivery: Delivery): Promise<Message | Outcome> {
  const { id, mail, recipient, outcomeUnknownSince } = delivery;
  const content = await loadContent(ctx, delivery);
  const current = await content.findAddress();
  const isSame = recipient?.toLowerCase() === current?.toLowerCase();
  // A mail that may have been accepted is sent to its own recipient or not at all.
  if (outcomeUnknownSince && !isSame) return UNKNOWN;
  if (!current) return SKIPPED;
  if (content.isMuted) return outcomeUnknownSince ? UNKNOWN : MUTED;
  if (content.isQuiet && !mail) return QUIET;
  const to = (isSame && recipient) || current;
  return {
    recipient: to,
    mail: (isSame && mail) || (await content.render(to)),
    async send(stored) {
      if (!stored) throw new Error(`delivery ${id} has no mail`);
      const tags = { kind: content.kind, delivery: id, key: content.keyId };
      return ctx.mailer.send({ ...stored, to, tags, idempotencyKey: content.idempotencyKey });
    },
  };
}

/** What the mail of a delivery is about, and who may be mailed now. */
async function loadContent(ctx: DeliveryContext, { alertId, digestId }: Delivery) {
  if (digestId) {
    const digest = await loadDigest(ctx, digestId);
    return {
      kind: "digest",
      keyId: digest.keyId,
      idempotencyKey: `digest/${digestId}`,
      isQuiet: isQuiet(digest),
      isMuted: false,
      findAddress: () => findDigestEmail(ctx, digest.keyId),
      render: (to: string) => renderDigest(ctx, digest, to),
    };
  }
  const alert = await loadAlert(ctx, alertId);
  return {
    kind: "alert",
    keyId: alert.keyId,
    idempotencyKey: `alert/${alertId}`,
    isQuiet: false,
    isMuted: await isMuted(ctx, alert.keyId, alert.channelId),
    findAddress: () => findMailableEmail(ctx, alert.keyId),
    render: (to: string) => renderAlertMail(ctx, alert, to),
  };
}

/** Checks the API key and the sender's domain without sending an email. */
function listEmailChecks({ email }: Env): (Check | CheckResult)[] {
  if (email.kind === "log") return [{ what: "log", ...createOk("a preview deployment sends no email") }];
  if (email.kind === "outbox") return [{ what: "outbox", ...createOk("files in DATA_DIR/outbox") }];
  const unset = createNote("RESEND_WEBHOOK_SECRET is not set: the service does not learn of bounces and complaints");
  return [
    {
      what: "Resend",
      variable: "RESEND_BASE_URL",
      url: `${email.url}/domains`,
      token: email.apiKey,
      rules: [
        [/restricted_api_key/, createNote("RESEND_API_KEY may only send: the sender's domain was not checked")],
        [/^40[013] /, createFault("RESEND_API_KEY is not a valid key")],
        [/^200 /, (body) => classifySender(email.from, body)],
      ],
    },
    ...(email.webhookSecret ? [] : [{ what: "Resend webhook", ...unset }]),
  ];
}

const Domains = z.object({ data: z.array(z.object({ name: z.string(), status: z.string() })) });

function classifySender(from: string, body: string) {
  const domain = from.replace(/>$/, "").split("@").at(-1)?.toLowerCase();
  const domains = parseJson(body, Domains)?.data;
  if (!domains) return null;
  const sender = "the domain of ALERT_EMAIL_FROM";
  if (domain === "resend.dev") return createNote(`${sender} is Resend's own: it sends to the account owner only`);
  const known = domains.find(({ name }) => name.toLowerCase() === domain);
  if (!known) return createFault(`${sender} is not in the Resend account: add it there`);
  if (known.status === "verified") return createOk("the key is valid and the sender's domain is verified");
  return createFault(`${sender} is not verified: set the DNS records that Resend shows`);
}
