import { z } from "zod";
import { PLAIN_TEXT, PLAIN_TEXT_FORM } from "@/core/config/text";
import { TIERS, type Tier } from "@/core/config/tiers";

/** The id of a key that exists. Only the keys service makes one, so whoever holds it was let in. */
export type KeyId = string & { readonly __brand: "KeyId" };

/** A key as every use case sees it once a request has been let in. */
export interface Key {
  id: KeyId;
  tier: Tier;
}

/** The key that a reader is signed in with. */
export interface SignedInKey extends Key {
  label: string;
  hint: string;
  /** Differs after each rotation, so that a session ends with the secret it began with. */
  stamp: string;
}

/** A key as its operator sees it. The secret is not among it. */
export interface KeyRecord extends Key {
  label: string;
  hint: string;
  createdAt: Date;
  rotatedAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}

/** A record together with the only sight of its secret there will ever be. */
export interface IssuedKey {
  record: KeyRecord;
  secret: string;
}

/** A key as its owner sees it in the console. */
export const KeyFacts = z.object({
  label: z.string(),
  hint: z.string().describe("First and last characters; the key itself is kept nowhere"),
  tier: z.enum(TIERS),
  created_at: z.iso.datetime(),
  rotated_at: z.iso.datetime().nullable(),
  last_used_at: z.iso.datetime().nullable().describe("Null before the first counted request"),
});
export type KeyFacts = z.output<typeof KeyFacts>;

/** What a new key has done already on the way to its first alert. */
export const FirstSteps = z.object({
  tracks_creator: z.boolean(),
  has_address: z.boolean(),
  made_request: z.boolean(),
});
export type FirstSteps = z.output<typeof FirstSteps>;

export const TierInput = z.enum(TIERS, { error: `must be one of ${TIERS.join(", ")}` });

export const LabelInput = z
  .string()
  .trim()
  .min(1, "must have 1 to 100 characters")
  .max(100, "must have 1 to 100 characters")
  .regex(PLAIN_TEXT, PLAIN_TEXT_FORM);
