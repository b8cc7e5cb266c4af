import { AppError } from "@/core/errors";
import { readResendEvent } from "@/core/mail/resend-webhook";
import { recordMailEvent } from "@/features/notifications/mail-events.service";
import type { ReadBody } from "@/server/api/input";
import type { AppContext } from "@/server/context";

/** The path exists only when the signing secret is set. */
export async function receiveMailEvent(ctx: AppContext, request: Request, text: ReadBody): Promise<object> {
  const { email } = ctx.env;
  if (email.kind !== "resend" || email.webhookSecret === null) throw new AppError("path_not_found", "Path not found");
  const { apiKey, webhookSecret } = email;
  const event = readResendEvent({ apiKey, webhookSecret }, request.headers, text());
  if (event) await recordMailEvent(ctx, event);
  return {};
}
