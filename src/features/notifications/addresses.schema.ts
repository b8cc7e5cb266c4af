import { z } from "zod";
import { contract } from "@/core/http/contract";
import { LONGEST_ADDRESS, TEST_MAILS_A_DAY } from "@/core/mail/email";

const EMAIL_FORM = "must be an email address, such as scout@example.com";

export const SetEmailInput = z.object({
  email: z
    .string(EMAIL_FORM)
    .trim()
    .max(LONGEST_ADDRESS, EMAIL_FORM)
    .pipe(z.email(EMAIL_FORM))
    .meta({ description: "The address that receives growth alerts", format: "email" }),
});

export const EmailSetting = z.object({
  email: z.email().nullable().describe("Null when no address is set"),
});

/** The address as the console shows it. */
export const AddressState = EmailSetting.extend({
  awaits_confirmation: z
    .boolean()
    .describe("Whether this key sends no mails to the address until it confirms by the emailed link"),
  test_mails_left: z.int().min(0).max(TEST_MAILS_A_DAY).describe("Test emails left today (UTC)"),
});
export type AddressState = z.output<typeof AddressState>;

export const TestMailAnswer = z.object({ message: z.string() });

export const SetEmailAnswer = z.object({ message: z.string(), email: z.email() });

export const ClearEmailAnswer = z.object({ message: z.string(), email: z.null() });

const EXAMPLE_EMAIL = "scout@example.com";

export const getEmailContract = contract({
  method: "GET",
  path: "/api/alerts/email",
  id: "getAlertEmail",
  tag: "Alerts",
  summary: "The address that receives growth alerts",
  answer: EmailSetting,
  example: { answer: { email: EXAMPLE_EMAIL } },
});

export const setEmailContract = contract({
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
    answer: { message: `Alert emails will be sent to ${EXAMPLE_EMAIL}`, email: EXAMPLE_EMAIL },
  },
});

export const clearEmailContract = contract({
  method: "DELETE",
  path: "/api/alerts/email",
  id: "clearAlertEmail",
  tag: "Alerts",
  summary: "Clear the address that receives growth alerts",
  description: "Safe to repeat. `GET /api/alerts` still lists new alerts.",
  answer: ClearEmailAnswer,
  example: { answer: { message: "Alert emails will no longer be sent", email: null } },
});
