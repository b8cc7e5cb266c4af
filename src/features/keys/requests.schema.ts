import { z } from "zod";
import { PLAIN_TEXT, PLAIN_TEXT_FORM } from "@/core/config/text";
import type { KeyId } from "./schema";

/** One request as the log keeps it. */
export interface LoggedRequest {
  keyId: KeyId;
  at: Date;
  requestId: string;
  method: string;
  path: string;
  /** As a query string without its question mark; empty without any. */
  query: string;
  status: number;
  milliseconds: number;
}

/** One request as the key's owner sees it. */
export const RequestEntry = z.object({
  request_id: z.string(),
  at: z.iso.datetime().describe("When it came in"),
  method: z.string(),
  path: z.string(),
  query: z
    .string()
    .describe("The parameters that the endpoint knows, without question mark; empty without any"),
  status: z.int(),
  milliseconds: z.number(),
});
export type RequestEntry = z.output<typeof RequestEntry>;

export const STATUS_CLASSES = ["2xx", "4xx", "5xx"] as const;
export const LOGGED_METHODS = ["GET", "HEAD", "POST", "DELETE", "PUT", "PATCH", "OPTIONS"] as const;

/** Which of a key's requests are asked for; all that are given must fit. */
export const RequestFilter = z.object({
  /** A class, or one status. */
  status: z.union([z.enum(STATUS_CLASSES), z.int().min(100).max(599)]).optional(),
  method: z.enum(LOGGED_METHODS).optional(),
  /** What stands somewhere in the path with its parameters. */
  path: z.string().max(300).regex(PLAIN_TEXT, PLAIN_TEXT_FORM).optional(),
  /** `next` of the page before. */
  before: z
    .string()
    // An instant before the year 5139, and how many requests of it were shown.
    .regex(/^\d{1,14}-\d{1,5}$/, "must be the next of a page")
    .optional(),
  limit: z.int().min(1).max(100).default(50),
});
export type RequestFilter = z.input<typeof RequestFilter>;

export const RequestPage = z.object({
  requests: z.array(RequestEntry).describe("Newest first"),
  next: z.string().nullable().describe("What to ask for before; null at the end"),
});
export type RequestPage = z.output<typeof RequestPage>;
