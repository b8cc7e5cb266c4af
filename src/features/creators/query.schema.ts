import { z } from "zod";
import { createChoiceSchema, createIntegerSchema, PLAIN_TEXT } from "@/core/fields";
import { MAX_OFFSET, NOT_WITH_AFTER, refuseSent } from "@/core/http/page";
import { CHANNEL_STATUSES } from "@/db/values";
import { ALERT_LEVELS } from "@/features/growth/score.rules";
import { TrackedSort } from "./console.schema";
import { Creator, TrackedPage } from "./schema";

/** More than the name of any list. */
const MAX_NAME = 100;
/** No enumeration: in generated code, the names of `score` and `-score` would clash. */
const SORT = new RegExp(`^-?(${TrackedSort.options.join("|")})$`);
const LIST_FORM = "must be the name of a list";

/** The creators that the API lists, and their order. */
export const TrackedListQuery = z
  .object({
    offset: createIntegerSchema(0, MAX_OFFSET).optional().describe("Number of results to skip (0). Not with `after`"),
    limit: createIntegerSchema(1, 100).default(20).describe("Maximum results"),
    after: z
      .string()
      .regex(/^(UC[A-Za-z0-9_-]{22})?$/, "must be the next_after of an earlier response, or empty to start")
      .optional()
      .describe("Reads in the order of channel ids, so that no creator is missed or repeated. Empty to start"),
    sort: z
      .string()
      .regex(SORT, `must be one of ${TrackedSort.options.join(", ")}, or one of these after a -`)
      .optional()
      .describe(
        `One of ${TrackedSort.options.join(", ")}, with \`-\` in front for the largest first; unknown values last. \`-tracked_since\` when left out. Not with \`after\``,
      ),
    level: createChoiceSchema(ALERT_LEVELS).optional().describe("Only creators of this alert_level"),
    status: createChoiceSchema(CHANNEL_STATUSES).optional().describe("Only creators with this status"),
    list: z
      .string()
      .trim()
      .min(1, LIST_FORM)
      .max(MAX_NAME, LIST_FORM)
      .regex(PLAIN_TEXT, LIST_FORM)
      .optional()
      .describe("Only creators of your list with this name, in any case. Lists are made in the console"),
  })
  .superRefine(({ after }, context) => {
    if (after !== undefined) refuseSent(context, ["offset", "sort"], NOT_WITH_AFTER);
  });
export type TrackedListQuery = z.output<typeof TrackedListQuery>;

export const TrackedListPage = TrackedPage.extend({
  next_after: z.string().nullable().describe("Send it as `after` while `pagination.has_more`; null without `after`"),
});
export type TrackedListPage = z.output<typeof TrackedListPage>;

export const CreatorAnswer = z.object({
  creator: Creator,
  is_tracked: z.boolean().describe("Whether your key tracks the creator"),
  counts_day: z.iso.date().nullable().describe("UTC day on which the platform showed these counts"),
});
export type CreatorAnswer = z.output<typeof CreatorAnswer>;
