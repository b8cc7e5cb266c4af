import { receiveMailEvent } from "@/server/mail-events";
import { openResource } from "@/server/rest";

// /api/webhooks/resend – what the mail service tells of mails it accepted; every call must be signed by it
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openResource(
  "/api/webhooks/resend",
  { POST: ({ ctx, request, body }) => receiveMailEvent(ctx, request, body) },
  { maxBodyBytes: 64 * 1024 },
);
