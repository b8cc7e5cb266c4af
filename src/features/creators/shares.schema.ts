import { z } from "zod";
import { ChannelId } from "./schema";
import { SHARE_DAYS } from "./shares.rules";

const days = z.union(
  SHARE_DAYS.map((days) => z.literal(days)),
  { error: "must be 7 or 30" },
);

/** What a link shows: a tracked creator, or a list of the key. */
export const ShareInput = z.union([z.object({ channel_id: ChannelId, days }), z.object({ list_id: z.uuid(), days })]);
export type ShareInput = z.output<typeof ShareInput>;

/** A link to an evidence card or a list, as its key sees it. */
export const Share = z.object({
  id: z.uuid(),
  channel_id: z.string().nullable().describe("Null for a list"),
  name: z.string().describe("Of the creator or the list"),
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
