import { headers } from "next/headers";
import { withoutParameters } from "@/core/db/client";
import { REQUEST_ID_HEADER } from "@/core/http/request-id";
import { digestOf } from "@/ui/digest";

/** Id by which the log knows the request for a page; null on a host whose requests carry none. */
export async function pageRequestId(): Promise<string | null> {
  const given = await headers();
  return given.get(REQUEST_ID_HEADER) ?? given.get("x-vercel-id");
}

/**
 * Names what a page could not do by its request's id: the digest is all that Next tells a browser of a failure, and by
 * itself it would be made of the failure's text, the same for everybody. Next writes all there is of an error to the log.
 */
export async function named<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error) || "digest" in error) throw error;
    const told = withoutParameters(error);
    const id = await pageRequestId();
    throw id && told instanceof Error ? Object.assign(told, { digest: digestOf(id) }) : told;
  }
}
