import { z } from "zod";
import { PLAIN_TEXT, PLAIN_TEXT_FORM } from "@/core/fields";
import type { KeyId } from "@/features/keys/schema";
import { LOGGED_METHODS, MAX_PATH_LENGTH, PAGE_CURSOR, STATUS_CLASSES } from "./request-log.rules";

/** A request as the log keeps it. */
export interface LoggedRequest {
  keyId: KeyId;
  at: Date;
  requestId: string;
  method: string;
  path: string;
  /** Query string without its question mark. */
  query: string;
  status: number;
  milliseconds: number;
}

/** A request as the console shows it. */
export const RequestEntry = z.object({
  request_id: z.string(),
  at: z.iso.datetime().describe("When the request arrived"),
  method: z.string(),
  path: z.string(),
  query: z.string().describe("Query string of the documented parameters, without its question mark"),
  status: z.int(),
  milliseconds: z.number(),
});
export type RequestEntry = z.output<typeof RequestEntry>;

/** Filters of the request log; a request must match all of them. */
export const RequestFilter = z.object({
  /** A class, or one status. */
  status: z.union([z.enum(STATUS_CLASSES), z.int().min(100).max(599)]).optional(),
  method: z.enum(LOGGED_METHODS).optional(),
  /** Part of the path with its query. */
  path: z.string().max(MAX_PATH_LENGTH).regex(PLAIN_TEXT, PLAIN_TEXT_FORM).optional(),
  /** `next` of the page before. */
  before: z.string().regex(PAGE_CURSOR, "must be the next of a page").optional(),
  limit: z.int().min(1).max(100).default(50),
});
export type RequestFilter = z.input<typeof RequestFilter>;

export const RequestPage = z.object({
  requests: z.array(RequestEntry).describe("Newest first"),
  next: z.string().nullable().describe("`before` of the next page; null on the last"),
});
export type RequestPage = z.output<typeof RequestPage>;
