import { confirmAddress } from "@/features/notifications/suppressions.service";
import { createLinkAction } from "@/server/api/link-action";

// /api/confirm-address – confirms an address by the signed link in its mail
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createLinkAction("/confirm-address", confirmAddress);
