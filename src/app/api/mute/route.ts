import { muteByLink } from "@/features/notifications/mutes.service";
import { createLinkAction } from "@/server/api/link-action";

// /api/mute – mutes a creator by the signed link in its alert mails
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createLinkAction("/mute", muteByLink);
