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
    .describe("The address gets no mails of this key until it confirms by the link that was mailed to it"),
  test_mails_left: z.int().min(0).max(TEST_MAILS_A_DAY).describe("Test mails that may be sent today (UTC)"),
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
  summary: "Set the address that receives growth alerts, in place of any earlier one",
  description:
    "Safe to repeat: the same address twice is the same as once. An address that unsubscribed from this key's mails, " +
    "reported them as unwanted or could not be reached for good is sent a link first, and gets alerts once it confirms by " +
    "it; while it does not, at most one link in 30 days.",
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
  description: "Safe to repeat. Alerts are still made and listed; they are only no longer mailed.",
  answer: ClearEmailAnswer,
  example: { answer: { message: "Alert emails will no longer be sent", email: null } },
});
