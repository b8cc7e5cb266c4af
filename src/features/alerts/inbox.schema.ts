import { z } from "zod";
import { PageInput } from "@/core/http/page";
import { ALERT_LABELS } from "@/db/values";
import { OUTCOME_CHOICES } from "./rules";
import { AlertFilter } from "./schema";

/** Filters of the console's inbox; null filters nothing. */
export const InboxFilter = AlertFilter.extend({
  label: z.enum(ALERT_LABELS).nullable().default(null),
  outcome: z.enum(OUTCOME_CHOICES).nullable().default(null),
  unread: z.boolean().default(false),
  list: z.uuid().nullable().default(null).describe("Only creators of this list"),
});
export type InboxFilter = z.output<typeof InboxFilter>;

export const InboxQuery = PageInput.extend(InboxFilter.shape);

export const ReadInput = z.object({ id: z.uuid(), is_read: z.boolean() });
export const UndoInput = z.object({ at: z.iso.datetime() });
