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
