import { z } from "zod";
import { createIntegerSchema } from "@/core/fields";
import { CHANGE_KINDS } from "@/db/values";
import { Alert } from "@/features/alerts/schema";
import { ChannelId } from "@/features/creators/schema";

const CURSOR_FORM = "must be the next_after of an earlier response, or empty";

export const ChangesQuery = z.object({
  after: z
    .string()
    .regex(/^[A-Za-z0-9_-]{0,100}$/, CURSOR_FORM)
    .default("")
    .describe("The `next_after` of an earlier response. Empty: from the oldest change"),
  limit: createIntegerSchema(1, 100).default(20).describe("Maximum changes"),
});
export type ChangesQuery = z.output<typeof ChangesQuery>;

export const Change = z
  .object({
    type: z.enum(CHANGE_KINDS).describe("What happened. The guide Keep a copy explains each type"),
    cursor: z.string().describe("Send it as `after` to continue after this change"),
    at: z.iso.datetime().describe("When it happened, UTC"),
    channel_id: ChannelId,
    name: z.string().nullable().describe("The new name; null unless renamed"),
    // Written out: the reference on /docs does not read a nullable $ref of a component.
    alert: z
      .object(Alert.shape)
      .nullable()
      .describe("The alert as it is now; null unless the type is alert_created, outcome_7d or outcome_28d"),
  })
  .meta({ id: "Change", description: "A change of an alert or a creator of your key" });
export type Change = z.output<typeof Change>;

export const ChangePage = z.object({
  changes: z.array(Change).describe("Oldest first"),
  next_after: z.string().describe("Send it as `after` in your next request, also when there are no changes"),
  has_more: z.boolean().describe("True when there are more changes now"),
});
export type ChangePage = z.output<typeof ChangePage>;
