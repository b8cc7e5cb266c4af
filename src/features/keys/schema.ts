import { z } from "zod";
import { PLAIN_TEXT, PLAIN_TEXT_FORM } from "@/core/fields";
import { formatCount } from "@/core/format";
import { MAX_EMAIL_LENGTH } from "@/core/mail/email";
import { TIERS, type Tier } from "@/db/values";

/** The id of a key that exists. Only the keys service creates this type. */
export type KeyId = string & { readonly __brand: "KeyId" };

/** An authenticated key. */
export interface Key {
  id: KeyId;
  tier: Tier;
}

/** The key of a console session. */
export interface SignedInKey extends Key {
  label: string;
  hint: string;
  /** Names the secret that a session began with; the session ends with it. */
  stamp: string;
  /** Whether the session is one of the demo, which changes and spends nothing. */
  isDemo?: true;
}

export const TierInput = z.enum(TIERS, { error: `must be one of ${TIERS.join(", ")}` });

export const LabelInput = z
  .string()
  .trim()
  .min(1, "must have 1 to 100 characters")
  .max(100, "must have 1 to 100 characters")
  .regex(PLAIN_TEXT, PLAIN_TEXT_FORM);

export const MAX_PURPOSE_LENGTH = 1000;

const PURPOSE_LENGTH = `must have 1 to ${formatCount(MAX_PURPOSE_LENGTH)} characters`;
/** Text of several lines, without other control characters. */
const TEXT_OF_LINES = /^(?:[\r\n\t]|[^\p{Cc}\p{Cs}])*$/u;

/** What a visitor types. A name becomes the label of the key. */
export const KeyRequestInput = z.object({
  name: LabelInput,
  email: z
    .string()
    // Before trimming, which would remove a line break at the end.
    .regex(PLAIN_TEXT, PLAIN_TEXT_FORM)
    .trim()
    .max(MAX_EMAIL_LENGTH, `must have at most ${MAX_EMAIL_LENGTH} characters`)
    .pipe(z.email({ error: "must be an email address, such as you@example.com" })),
  tier: TierInput,
  purpose: z
    .string()
    .trim()
    .min(1, PURPOSE_LENGTH)
    .max(MAX_PURPOSE_LENGTH, PURPOSE_LENGTH)
    .regex(TEXT_OF_LINES, PLAIN_TEXT_FORM),
});
export type KeyRequestInput = z.output<typeof KeyRequestInput>;
