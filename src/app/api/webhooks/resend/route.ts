import { openResource } from "@/server/api/rest";
import { receiveMailEvent } from "@/server/ops/mail-events";

// /api/webhooks/resend – delivery events of the mail service; every call must be signed
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openResource(
  "/api/webhooks/resend",
  { POST: ({ ctx, request, body }) => receiveMailEvent(ctx, request, body) },
  { maxBodyBytes: 64 * 1024 },
);
