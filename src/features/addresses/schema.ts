import { z } from "zod";
import { contract } from "@/core/contract";

const EMAIL_FORM = "must be an email address, such as scout@example.com";

export const SetEmailInput = z.object({
  email: z
    .string(EMAIL_FORM)
    .trim()
    .max(254, EMAIL_FORM)
    .pipe(z.email(EMAIL_FORM))
    .describe("The address that receives growth alerts"),
});

export const EmailSetting = z.object({
  email: z.email().nullable().describe("Null when no address is set"),
});

/** Most test mails that a key may have sent in one UTC day. */
export const TEST_MAILS_A_DAY = 3;

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

export const getEmailContract = contract({
  method: "GET",
  path: "/api/alerts/email",
  summary: "The address that receives growth alerts",
  answer: EmailSetting,
});

export const setEmailContract = contract({
  method: "POST",
  path: "/api/alerts/email",
  summary: "Set the address that receives growth alerts, in place of any earlier one",
  body: SetEmailInput,
  answer: SetEmailAnswer,
});

export const clearEmailContract = contract({
  method: "DELETE",
  path: "/api/alerts/email",
  summary: "Clear the address that receives growth alerts",
  answer: ClearEmailAnswer,
});
