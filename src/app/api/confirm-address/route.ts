import { confirmAddress } from "@/features/notifications/suppressions.service";
import { linkAction } from "@/server/link-action";

// /api/confirm-address – lets a key's mails reach an address again, by the signed link it was mailed
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = linkAction(
  "/confirm-address",
  confirmAddress,
);
