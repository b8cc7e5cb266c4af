import { AppError } from "@/core/errors";
import { readResendEvent } from "@/core/mail/resend-webhook";
import { noteMailEvent } from "@/features/notifications/mail-events.service";
import type { AppContext } from "./context";
import type { Exchange } from "./exchange";
import type { ReadBody } from "./input";

/** Stores an event of the mail service. Without its signing secret, the path does not exist. */
export async function receiveMailEvent(
  ctx: AppContext,
  request: Request,
  _exchange: Exchange,
  text: ReadBody,
): Promise<object> {
  const { email } = ctx.env;
  if (email.kind !== "resend" || email.webhookSecret === null)
    throw new AppError("not_found", "There is no such path");
  const { apiKey, webhookSecret } = email;
  const event = readResendEvent({ apiKey, webhookSecret }, request.headers, text());
  if (event) await noteMailEvent(ctx, event);
  return { status: "ok" };
}
