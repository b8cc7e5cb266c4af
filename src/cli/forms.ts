import { IncomingMessage } from "node:http";
import { z } from "zod";
import { AppError } from "@/core/errors";
import { isSameOrigin } from "@/core/http/url";
import { MAX_BODY_BYTES, readBody } from "@/server/api/input";

const Arguments = z.array(z.unknown());

/**
 * Reads a form before Next does, which answers 500 to a form that it cannot read.
 * @returns the request with its whole body
 * @throws AppError for a form of another site, one that is too large, or one that cannot be read
 */
export async function readForm(request: IncomingMessage, appUrl: string): Promise<IncomingMessage> {
  const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  if (!isSameOrigin(headers, appUrl)) throw new AppError("forbidden", "This form works on pages of this site only");
  const body = await readBody(request.iterator({ destroyOnReturn: false }), MAX_BODY_BYTES);
  await requireReadable(headers, body.bytes());
  return createRequest(request, body.bytes());
}

/** A form arrives as form data. A server action has its arguments in the field 0, or is JSON when it has no fields. */
async function requireReadable(headers: Headers, body: Buffer): Promise<void> {
  const type = headers.get("content-type") ?? "";
  const isAction = headers.has("next-action");
  try {
    const isFormData = /^multipart\/form-data;/i.test(type);
    const init = { headers: { "Content-Type": type } };
    const form = isFormData ? await new Response(new Uint8Array(body), init).formData() : null;
    if (isAction || !form) Arguments.parse(JSON.parse(form ? String(form.get("0")) : body.toString()));
  } catch {
    throw new AppError("invalid_request", "The form could not be read. Reload the page and try again.");
  }
}

/**
 * The same request with a body that was read. Next would send another page's action on to that page, and the two requests
 * could wait for each other's turn; of a request that was sent on, it refuses the action.
 */
function createRequest({ socket, method, url, headers, rawHeaders }: IncomingMessage, body: Buffer): IncomingMessage {
  if (headers["next-action"]) headers["x-action-forwarded"] = "1";
  const request = Object.assign(new IncomingMessage(socket), { method, url, headers, rawHeaders, complete: true });
  request.push(body);
  request.push(null);
  return request;
}
