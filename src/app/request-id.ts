import { headers } from "next/headers";
import { REQUEST_ID_HEADER } from "@/core/http/request-id";
import { withoutParameters } from "@/db/client";
import { type AppContext, getAppContext } from "@/server/context";
import { toDigest } from "@/ui/digest";

/** The request ID of a page, as in the log; null on hosts without one. */
export async function getPageRequestId(): Promise<string | null> {
  const given = await headers();
  return given.get(REQUEST_ID_HEADER) ?? given.get("x-vercel-id");
}

/**
 * Sets the digest of a failed page to its request ID. The digest is all that Next sends to the browser; the log has the
 * full error.
 */
export async function withRequestDigest<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error) || "digest" in error) throw error;
    const failure = withoutParameters(error);
    const id = await getPageRequestId();
    throw id && failure instanceof Error ? Object.assign(failure, { digest: toDigest(id) }) : failure;
  }
}

/** Says that a form was read, so that a failure from now on is the service's. */
export async function openForm(): Promise<AppContext> {
  const ctx = getAppContext();
  const id = (await headers()).get(REQUEST_ID_HEADER);
  if (id) ctx.readForms.add(id);
  return ctx;
}
