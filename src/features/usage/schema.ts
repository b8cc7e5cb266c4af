import { z } from "zod";
import { createChoiceSchema, createIntegerSchema, PLAIN_TEXT, PLAIN_TEXT_FORM } from "@/core/fields";
import { DayRange, Format, isRange, refuseSent, WRONG_RANGE } from "@/core/http/page";
import type { requestLog } from "@/db/schema";
import { TIERS } from "@/db/values";
import { formatPerTier } from "@/features/usage/tiers.rules";
import { LOGGED_METHODS, MAX_PATH_LENGTH, PAGE_CURSOR, STATUS_CLASSES } from "./request-log.rules";

export const Usage = z.object({
  tier: z.enum(TIERS).describe("Tier of your key"),
  requests_today: z.int().min(0).describe("Requests counted today (UTC), including this one"),
  requests_limit: z.int().describe("Daily limit of your tier"),
  creators_tracked: z.int().min(0).describe("Creators your key tracks"),
  alerts_count: z.int().min(0).describe("Alerts of your key"),
  new_niches_today: z.int().min(0).describe("New niches searched for this key today (UTC)"),
  new_niches_limit: z.int().describe("New niches your tier can search per UTC day. Further ones are queued"),
  tier_limits: z
    .object({
      free: z.int().describe("Requests per UTC day"),
      starter: z.int().describe("Requests per UTC day"),
      pro: z.int().describe("Requests per UTC day"),
    })
    .describe(`Daily limit of each tier: ${formatPerTier("requestsPerDay")}`),
});
export type Usage = z.output<typeof Usage>;

const UsageDay = z
  .object({ day: z.iso.date().describe("UTC day"), requests: z.int().min(0).describe("Requests counted") })
  .meta({ id: "UsageDay", description: "Requests of a day" });

export const UsageByDay = z.object({
  days: z.array(UsageDay).describe("The last 30 UTC days, oldest first; a day without requests has 0"),
});
export type UsageByDay = z.output<typeof UsageByDay>;

/** A request as the log keeps it. */
export type LoggedRequest = Omit<typeof requestLog.$inferSelect, "id">;

/** A request as clients see it. */
export const RequestEntry = z
  .object({
    request_id: z.string().describe("The X-Request-Id of its response"),
    at: z.iso.datetime().describe("When the request arrived"),
    method: z.string().describe("Method of the request"),
    path: z.string().describe("Path, without keys and cut to 300 characters"),
    query: z.string().describe("Query string of the documented parameters, without its question mark"),
    status: z.int().describe("Status of the response"),
    milliseconds: z.number().describe("Duration at the service"),
  })
  .meta({ id: "LoggedRequest", description: "A request of your key" });
export type RequestEntry = z.output<typeof RequestEntry>;

const CURSOR_FORM = "must be the next_before of an earlier response";

/** Filters of the request log; a request must match all of them. */
export const RequestFilter = z.object({
  /** A class, or one status. */
  status: z.union([z.enum(STATUS_CLASSES), z.int().min(100).max(599)]).optional(),
  method: z.enum(LOGGED_METHODS).optional(),
  /** Part of the path with its query. */
  path: z.string().max(MAX_PATH_LENGTH).regex(PLAIN_TEXT, PLAIN_TEXT_FORM).optional(),
  /** `next_before` of the page before. */
  before: z.string().regex(PAGE_CURSOR, CURSOR_FORM).optional(),
  limit: z.int().min(1).max(100).default(50),
});
export type RequestFilter = z.input<typeof RequestFilter>;

const STATUS_FORM = `must be ${STATUS_CLASSES.join(", ")} or a status such as 404`;

const CSV_PAGES = "cannot be combined with format=csv: the file has every request that matches";

export const RequestQuery = z
  .object({
    limit: createIntegerSchema(1, 100).optional().describe("Maximum results (50)"),
    before: z.string().regex(PAGE_CURSOR, CURSOR_FORM).optional().describe("The `next_before` of an earlier response"),
    status: z
      .string()
      .regex(/^([2345]xx|[1-5]\d\d)$/, STATUS_FORM)
      .optional()
      .describe(`Only requests with this status: ${STATUS_CLASSES.join(", ")}, or one such as 404`),
    method: createChoiceSchema(LOGGED_METHODS).optional().describe("Only requests with this method"),
    ...DayRange.shape,
    format: Format,
  })
  .refine(isRange, WRONG_RANGE)
  .superRefine(({ format }, context) => {
    if (format === "csv") refuseSent(context, ["limit", "before"], CSV_PAGES);
  });
export type RequestQuery = z.output<typeof RequestQuery>;

export const RequestPage = z.object({
  requests: z.array(RequestEntry).describe("Newest first"),
  next_before: z.string().nullable().describe("Send it as `before` to get the next page; null on the last"),
});
export type RequestPage = z.output<typeof RequestPage>;

export const REQUEST_CSV = RequestEntry.keyof().options;

export const EXAMPLE_ENTRY: RequestEntry = {
  request_id: "req_5f0c1a9be27d43f6a1c2d3e4",
  at: "2026-11-20T09:14:27.031Z",
  method: "GET",
  path: "/api/track/UCY8vMFsho8bt_uH0G7KX-bg",
  query: "",
  status: 404,
  milliseconds: 2.4,
};

/** The days of which requests are counted. */
export const UsageRange = DayRange.refine(isRange, WRONG_RANGE);
export type UsageRange = z.output<typeof UsageRange>;

const EndpointUsage = z
  .object({
    method: RequestEntry.shape.method,
    endpoint: z.string().describe("Path as documented; `unknown` for a path that the API does not have"),
    status: RequestEntry.shape.status,
    requests: z.int().min(1).describe("Requests with this status"),
  })
  .meta({ id: "EndpointUsage", description: "Requests of an endpoint with the same status" });

export const UsageByEndpoint = z.object({ endpoints: z.array(EndpointUsage).describe("The most frequent first") });
export type UsageByEndpoint = z.output<typeof UsageByEndpoint>;
