import { headers } from "next/headers";
import { faultFields } from "@/core/db/client";
import { errorMessage, framesOf } from "@/core/errors";
import { REQUEST_ID_HEADER } from "@/core/request-id";

/** Id by which the log knows the request for a page; null on a host whose requests carry none. */
export async function pageRequestId(): Promise<string | null> {
  const given = await headers();
  return given.get(REQUEST_ID_HEADER) ?? given.get("x-vercel-id");
}

/**
 * Names what a page could not do by its request's id: the digest is all that Next tells a browser of a failure, and by
 * itself it would be made of the failure's text, the same for everybody. Of a statement that failed nothing is left but
 * why, as Next writes all there is of an error to the log.
 */
export async function named<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error) || "digest" in error) throw error;
    const digest = await pageRequestId();
    const told = "query" in error ? withoutParameters(error) : error;
    throw digest ? Object.assign(told, { digest }) : told;
  }
}

function withoutParameters(error: Error): Error {
  const told = new Error(errorMessage(error));
  told.stack = `${told.message}\n${framesOf(error)}`;
  return Object.assign(told, faultFields(error));
}
