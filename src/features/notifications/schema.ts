import { z } from "zod";
import { Pagination } from "@/core/http/page";
import { MAX_EMAIL_LENGTH } from "@/core/mail/email";
import { SUPPRESSION_REASONS } from "@/db/values";
import { CHANNEL_ID } from "@/features/creators/addresses.rules";
import { ChannelId, ChannelName, describeChannel } from "@/features/creators/schema";

const EMAIL_FORM = "must be an email address, such as scout@example.com";

/** Narrower than the format: RFC 5321 allows 64 characters before the @. */
const ADDRESS = new RegExp(`^(?=[^@]{1,64}@)${z.regexes.email.source.slice(1)}`);

export const SetEmailInput = z.object({
  email: z
    .string(EMAIL_FORM)
    .trim()
    .max(MAX_EMAIL_LENGTH, EMAIL_FORM)
    .pipe(z.email({ pattern: ADDRESS, error: EMAIL_FORM }))
    .meta({
      description: "The address that receives growth alerts",
      format: "email",
      pattern: ADDRESS.source,
    }),
});

const DELIVERY_STATES = ["active", "refused", "unconfirmed", ...SUPPRESSION_REASONS] as const;

/** Whether the address gets mails of the key. */
export const MailDelivery = z.object({
  delivery: z
    .enum(DELIVERY_STATES)
    .nullable()
    .describe(
      "active: alerts are emailed. refused: the last email did not arrive. unconfirmed: not before the address confirms by the link we emailed. unsubscribed, bounced, complained: not emailed for this reason. Null without an address",
    ),
  delivery_since: z.iso.datetime().nullable().describe("Since when, UTC; null where delivery is"),
  delivery_hint: z.string().nullable().describe("What to do so that alerts are emailed; null when nothing is to do"),
});
export type MailDelivery = z.output<typeof MailDelivery>;

export const EmailAnswer = MailDelivery.extend({
  email: z.email().nullable().describe("Null when no address is set"),
});

export const SetEmailAnswer = z.object({
  message: z.string().describe("When emails will be sent to the address"),
  email: z.email().describe("The address as it is set"),
  ...MailDelivery.shape,
});

export const CLEARED = "Alert emails will no longer be sent";
export const ClearEmailAnswer = z.object({
  message: z.string().describe("That no more emails are sent"),
  email: z.string().nullable().describe("Always null"),
});

/** Whether the key gets the weekly digest. */
export const DigestSetting = z.object({ on: z.boolean() });
export type DigestSetting = z.output<typeof DigestSetting>;

export const MuteInput = z.object({ channel_id: z.string().regex(CHANNEL_ID, "must be a channel id") });

export type MutedCreator = z.output<typeof MutedCreator>;
export const MutedCreator = z
  .object({
    channel_id: ChannelId,
    name: z.string().describe("Name of the channel"),
    muted_at: z.iso.datetime().describe("When your key muted it, UTC"),
  })
  .meta({ id: "MutedCreator", description: "A creator whose alerts come without emails" });

export const MutedPage = z.object({
  pagination: Pagination,
  creators: z.array(MutedCreator).describe("In the order of their names"),
});

/** A creator to mute, by any of its names. */
export const MuteChannel = z.object({
  channel_id: ChannelName.meta(describeChannel("A channel id, an @handle, or a channel URL with one of them")),
});

export const MuteResult = z.object({
  message: z.string().describe("What was done, in one sentence"),
  channel_id: ChannelId,
  is_muted: z.boolean().describe("Whether emails about the creator are stopped"),
});
