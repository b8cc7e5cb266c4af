import {
  clearEmailContract,
  getEmailContract,
  setEmailContract,
} from "@/features/notifications/addresses.schema";
import { clearAlertEmail, getEmailSetting, setAlertEmail } from "@/features/notifications/addresses.service";
import { defineEndpoint, defineResource } from "@/server/api/rest";

// /api/alerts/email – the one address that receives the key's alerts
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = defineResource(
  defineEndpoint(getEmailContract, ({ ctx, key }) => getEmailSetting(ctx, key.id)),
  defineEndpoint(setEmailContract, async ({ ctx, key, body: { email } }) => {
    const message = await setAlertEmail(ctx, key.id, email);
    return { message, ...(await getEmailSetting(ctx, key.id)), email };
  }),
  defineEndpoint(clearEmailContract, async ({ ctx, key }) => {
    await clearAlertEmail(ctx, key.id);
    return { message: "Alert emails will no longer be sent", email: null };
  }),
);
