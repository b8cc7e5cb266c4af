import type { RequestFilter } from "@/features/usage/request-log.schema";

const WORDS: Readonly<Record<number | string, string>> = {
  200: "OK",
  400: "Invalid request",
  404: "Not found",
  405: "Wrong method",
  413: "Body too large",
  415: "Not JSON",
  429: "Limit reached",
  500: "Failed",
  503: "Unavailable",
  "2xx": "Success",
  "4xx": "Refused",
  "5xx": "Failed",
};

/** A status, or a class of them, with its word: `404 Not found`. */
export function formatStatus(status: NonNullable<RequestFilter["status"]>): string {
  const word = WORDS[status] ?? WORDS[`${String(status)[0]}xx`];
  return word ? `${status} ${word}` : String(status);
}
