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
export interface Share {
  id: string;
  /** Null for a list. */
  channel_id: string | null;
  /** Of the creator or the list. */
  name: string;
  created_at: string;
  expires_at: string;
}

export interface NewShare extends Share {
  /** Given once; only its hash is stored. */
  url: string;
}

export const ShareParams = z.object({ id: z.uuid() });
