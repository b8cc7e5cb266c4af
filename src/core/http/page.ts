import { z } from "zod";
import { createIntegerSchema } from "@/core/fields";
import { toDate } from "@/core/time";

export const MAX_OFFSET = 2_147_483_647;

/** Before everything that is stored. PostgreSQL has no year 0. */
const EARLIEST = "1900-01-01";

const DayQuery = z.iso.date("must be a day, such as 2026-11-20").transform((day) => (day < EARLIEST ? EARLIEST : day));

/** A time of a filter. In a query, a plus that is not encoded is a space. */
export const TimeQuery = z.iso
  .datetime({ offset: true, error: "must be a time, such as 2026-11-20T06:00:00Z (write + as %2B)" })
  .transform((time) => clampYear(toDate(time).toISOString()));

/** Within what PostgreSQL and ISO 8601 without a sign can say. */
function clampYear(time: string): string {
  if (time.startsWith("+")) return "9999-12-31T23:59:59Z";
  return time < EARLIEST ? `${EARLIEST}T00:00:00Z` : time;
}

/** The days of a filter, both included. */
export const DayRange = z.object({
  from: DayQuery.optional().describe("Leaves out days before it (UTC). At most `to`"),
  to: DayQuery.optional().describe("Leaves out days after it (UTC). At least `from`"),
});

/** Whether a range of days is not turned round. */
export function isRange({ from, to }: z.output<typeof DayRange>): boolean {
  return from === undefined || to === undefined || from <= to;
}

export const WRONG_RANGE = { path: ["from"], message: "must not be after to" };

/** Refuses parameters that were sent beside one that they cannot be combined with. */
export function refuseSent<Query extends object>(
  context: z.RefinementCtx<Query>,
  names: readonly (keyof Query & string)[],
  message: string,
): void {
  for (const name of names)
    if (context.value[name] !== undefined) context.addIssue({ code: "custom", path: [name], message });
}

export const NOT_WITH_AFTER = "cannot be combined with after";

export const Format = z
  .enum(["json", "csv"], "must be json or csv")
  .default("json")
  .describe("csv: all that match as one file. With more than 10,000 rows, `X-Truncated` is true: use `from` and `to`");

export const PageQuery = z.object({
  offset: createIntegerSchema(0, MAX_OFFSET).default(0).describe("Number of results to skip"),
  limit: createIntegerSchema(1, 100).default(20).describe("Maximum results"),
});
export type PageQuery = z.output<typeof PageQuery>;

export const PageInput = z.object({
  offset: z.int().min(0).max(MAX_OFFSET).default(0),
  limit: z.int().min(1).max(100).default(20),
});

export const Pagination = z
  .object({
    total: z.int().min(0).describe("Total number of results"),
    offset: z.int().min(0).describe("Number skipped"),
    limit: z.int().min(1).max(100).describe("Page size applied"),
    has_more: z.boolean().describe("True when there are more results: add `limit` to `offset`"),
  })
  .meta({ id: "Pagination" });
export type Pagination = z.output<typeof Pagination>;

export function buildPagination({ offset, limit }: PageQuery, total: number): Pagination {
  return { total, offset, limit, has_more: offset + limit < total };
}
