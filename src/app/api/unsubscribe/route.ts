import { unsubscribe } from "@/features/notifications/suppressions.service";
import { createLinkAction } from "@/server/api/link-action";

// /api/unsubscribe – unsubscribes an address by the signed link in its mails
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createLinkAction("/unsubscribe", unsubscribe);
