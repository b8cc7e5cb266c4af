import { unsubscribe } from "@/features/notifications/suppressions.service";
import { linkAction } from "@/server/link-action";

// /api/unsubscribe – ends a key's mails to an address, by the signed link in each of them
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = linkAction("/unsubscribe", unsubscribe);
