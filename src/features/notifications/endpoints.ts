import { defineEndpoint } from "@/features/endpoint";
import {
  CLEARED,
  ClearEmailAnswer,
  EmailAnswer,
  type MailDelivery,
  SetEmailAnswer,
  SetEmailInput,
} from "./addresses.schema";
import { clearAlertEmail, getEmailSetting, setAlertEmail } from "./addresses.service";

const EXAMPLE_EMAIL = "scout@example.com";
const EXAMPLE_DELIVERY: MailDelivery = {
  delivery: "active",
  delivery_since: "2026-11-12T09:16:40.512Z",
  delivery_hint: null,
};

const set = defineEndpoint(
  {
    method: "POST",
    path: "/api/alerts/email",
    id: "setAlertEmail",
    tag: "Alerts",
    summary: "Set the address that receives growth alerts",
    description:
      "Replaces any earlier address. Safe to repeat. An address that unsubscribed from this key's emails, marked one as spam " +
      "or bounced gets a confirmation link first, at most one every 30 days, and alerts once it confirms.",
    body: SetEmailInput,
    answer: SetEmailAnswer,
    example: {
      body: { email: EXAMPLE_EMAIL },
      answer: {
        message: `Alert emails will be sent to ${EXAMPLE_EMAIL}`,
        email: EXAMPLE_EMAIL,
        ...EXAMPLE_DELIVERY,
      },
    },
  },
  async ({ ctx, key, body: { email } }) => {
    const message = await setAlertEmail(ctx, key.id, email);
    return { message, ...(await getEmailSetting(ctx, key.id)), email };
  },
);

const get = defineEndpoint(
  {
    method: "GET",
    path: "/api/alerts/email",
    id: "getAlertEmail",
    tag: "Alerts",
    summary: "The address that receives growth alerts",
    description: "`delivery` says whether alerts are emailed to it, and `delivery_hint` what to do if not.",
    answer: EmailAnswer,
    example: { answer: { email: EXAMPLE_EMAIL, ...EXAMPLE_DELIVERY } },
  },
  ({ ctx, key }) => getEmailSetting(ctx, key.id),
);

const clear = defineEndpoint(
  {
    method: "DELETE",
    path: "/api/alerts/email",
    id: "clearAlertEmail",
    tag: "Alerts",
    summary: "Clear the address that receives growth alerts",
    description: "Safe to repeat. `GET /api/alerts` still lists new alerts.",
    answer: ClearEmailAnswer,
    example: { answer: { message: CLEARED, email: null } },
  },
  ({ ctx, key }) => clearAlertEmail(ctx, key.id),
);

export const emailEndpoints = [set, get, clear];
