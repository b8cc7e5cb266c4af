import { z } from "zod";
import { ChannelId } from "./schema";
import { SHARE_DAYS } from "./shares.rules";

export const ShareInput = z.object({
  channel_id: ChannelId,
  days: z.union(
    SHARE_DAYS.map((days) => z.literal(days)),
    { error: "must be 7 or 30" },
  ),
});
export type ShareInput = z.output<typeof ShareInput>;

/** A link to an evidence card, as its key sees it. */
export const Share = z.object({
  id: z.uuid(),
  channel_id: z.string(),
  name: z.string(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
});
export type Share = z.output<typeof Share>;

export const NewShare = Share.extend({ url: z.url().describe("Given once; only its hash is stored") });
export type NewShare = z.output<typeof NewShare>;

export const Shares = z.object({
  is_allowed: z.boolean().describe("False with YouTube unless the operator states an amendment"),
  shares: z.array(Share).describe("Open links, newest first"),
});
export type Shares = z.output<typeof Shares>;

export const ShareParams = z.object({ id: z.uuid() });
export const RevokeAnswer = z.object({ id: z.uuid() });
