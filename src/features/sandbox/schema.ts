import { z } from "zod";

export const CLOCK_HEADER = "X-Test-Clock";
export const SESSION_HEADER = "X-Sandbox-Session";
/** Marks every answer of the sandbox. */
export const SANDBOX_HEADER = "X-Sandbox";

const FIRST = "2026-01-01T00:00:00Z";
const LAST = "2035-12-31T23:59:59.999Z";
export const CLOCK_FORM = "must be a UTC time from 2026-01-01 to 2035-12-31, such as 2030-01-01T12:00:00Z";

/** The time that a request sets in its session. */
export const TestClock = z.iso
  .datetime(CLOCK_FORM)
  .refine((time) => Date.parse(time) >= Date.parse(FIRST) && Date.parse(time) <= Date.parse(LAST), CLOCK_FORM)
  .transform((time) => Date.parse(time));

export const SESSION_FORM = "must be 1 to 40 letters, digits, hyphens or underscores";
export const SESSION_PATTERN = /^[A-Za-z0-9_-]{1,40}$/;
export const SessionName = z.string().regex(SESSION_PATTERN, SESSION_FORM);

export const SandboxState = z
  .object({
    clock: z.iso.datetime().describe("The time in your session, which X-Test-Clock moves forward"),
    ends_at: z.iso.datetime().describe("When the session and its data are deleted, in real time"),
    note: z.string().describe("What to do next, and that no emails are sent"),
    mails: z
      .array(
        z.object({
          alert_id: z.uuid().describe("The alert of this page that the email is about"),
          to: z.email().describe("The alert address at the time of the alert"),
          subject: z.string().describe("Subject of the email"),
        }),
      )
      .optional()
      .describe("With alerts only: the emails that would have been sent"),
  })
  .meta({ id: "Sandbox", description: "In answers to the public sandbox key only" });
export type SandboxState = z.output<typeof SandboxState>;
export type SandboxMail = NonNullable<SandboxState["mails"]>[number];
