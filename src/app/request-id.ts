import { headers } from "next/headers";
import { REQUEST_ID_HEADER } from "@/core/request-id";

/** Id by which the log knows the request for a page; null on a host whose requests carry none. */
export async function pageRequestId(): Promise<string | null> {
  const given = await headers();
  return given.get(REQUEST_ID_HEADER) ?? given.get("x-vercel-id");
}

/**
 * Names what a page could not do by its request's id: the digest is all that Next tells a browser of a failure, and by
 * itself it would be made of the failure's text, the same for everybody.
 */
export async function named<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const digest = await pageRequestId();
    throw error instanceof Error && digest && !("digest" in error) ? Object.assign(error, { digest }) : error;
  }
}
