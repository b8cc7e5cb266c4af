import { z } from "zod";
import { toDate } from "@/core/time";

export const CLOCK_HEADER = "X-Test-Clock";
export const SESSION_HEADER = "X-Sandbox-Session";
/** Marks every answer of the sandbox. */
export const SANDBOX_HEADER = "X-Sandbox";

const CLOCK_FORM = "must be a UTC time from 2026-01-01 to 2035-12-31, such as 2030-01-01T12:00:00Z";
const NAME_FORM = "must be 1 to 40 letters, digits, hyphens or underscores";
export const SESSION_PATTERN = /^[A-Za-z0-9_-]{1,40}$/;

/** The name of the caller's session, and the time that the request sets in it. */
export const SandboxHeaders = z.object({
  [SESSION_HEADER]: z.string().regex(SESSION_PATTERN, NAME_FORM).optional(),
  [CLOCK_HEADER]: z.iso
    .datetime(CLOCK_FORM)
    .transform(toDate)
    .refine((time) => time.getUTCFullYear() >= 2026 && time.getUTCFullYear() <= 2035, CLOCK_FORM)
    .optional(),
});

const SandboxMail = z
  .object({
    alert_id: z.uuid().describe("The alert of this page that the email is about"),
    to: z.email().describe("The alert address at the time of the alert"),
    subject: z.string().describe("Subject of the email"),
  })
  .meta({ id: "SandboxMail", description: "An email that would have been sent" });

export const SandboxState = z
  .object({
    clock: z.iso.datetime().describe("The time in your session, which X-Test-Clock moves forward"),
    ends_at: z.iso.datetime().describe("When the session and its data are deleted, in real time"),
    note: z.string().describe("What to do next, and that no emails are sent"),
    mails: z.array(SandboxMail).optional().describe("With alerts only: the emails that would have been sent"),
  })
  .meta({ id: "Sandbox", description: "In answers to the public sandbox key only" });
