import { AppError } from "@/core/errors";
import { readResendEvent } from "@/core/resend-webhook";
import { noteMailEvent } from "@/features/deliveries/service";
import type { AppContext } from "./context";
import { readText } from "./input";

const MAX_EVENT_BYTES = 64 * 1024;

/** Takes in an event of the mail service. There is no such path unless its signing secret is set. */
export async function receiveMailEvent(ctx: AppContext, request: Request): Promise<object> {
  const { email } = ctx.env;
  if (email.kind !== "resend" || email.webhookSecret === null)
    throw new AppError("not_found", "There is no such path");
  const body = await readText(request, MAX_EVENT_BYTES);
  const { apiKey, webhookSecret } = email;
  const event = readResendEvent({ apiKey, webhookSecret }, request.headers, body);
  if (event) await noteMailEvent(ctx, event);
  return { status: "ok" };
}
