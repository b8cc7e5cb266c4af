import { z } from "zod";
import type { Env } from "@/core/env";
import { parseJson } from "@/core/http/call";
import type { Asker } from "./ask";
import { type Finding, findings } from "./finding";

const Domains = z.object({ data: z.array(z.object({ name: z.string(), status: z.string() })) });

/** Whether mails can leave: the key, and the domain of the sender. Nothing is sent. */
export async function checkEmail({ email }: Env, { ask }: Asker): Promise<Finding[]> {
  if (email.kind === "log") return [findings("email", "log").ok("a preview deployment mails nobody")];
  if (email.kind === "outbox") return [findings("email", "outbox").ok("files in DATA_DIR")];
  const { ok, note, wrong } = findings("email", "Resend");
  const reply = await ask(`${email.url}/domains`, { headers: { Authorization: `Bearer ${email.apiKey}` } });
  const events = email.webhookSecret
    ? []
    : [
        findings("email", "Resend webhook").note(
          "RESEND_WEBHOOK_SECRET is not set: bounces and complaints are not heard of",
        ),
      ];
  if ("fault" in reply) return [wrong(`the address of RESEND_BASE_URL cannot be reached (${reply.fault})`)];
  const { status, text } = reply;
  if (/restricted_api_key/.test(text))
    return [note("the key may only send, so the sender's domain could not be checked"), ...events];
  if (status === 429) return [note("Resend is asked too often right now; run this again"), ...events];
  if ([400, 401, 403].includes(status)) return [wrong("RESEND_API_KEY is not a valid key")];
  const domains = status === 200 ? parseJson(text, Domains)?.data : null;
  if (!domains) return [wrong(`RESEND_BASE_URL does not answer as Resend (HTTP ${status})`)];
  return [judgeSender(email.from, domains, { ok, note, wrong }), ...events];
}

function judgeSender(
  from: string,
  domains: z.output<typeof Domains>["data"],
  { ok, note, wrong }: ReturnType<typeof findings>,
): Finding {
  const domain = from.replace(/>$/, "").split("@").at(-1)?.toLowerCase() ?? "";
  if (domain === "resend.dev")
    return note("the domain of ALERT_EMAIL_FROM is Resend's own, which mails only the owner of the account");
  const known = domains.find(({ name }) => name.toLowerCase() === domain);
  if (!known)
    return wrong("the domain of ALERT_EMAIL_FROM is not among those of the account: add it at Resend");
  return known.status === "verified"
    ? ok("the key is valid and the sender's domain verified")
    : wrong("the domain of ALERT_EMAIL_FROM is not verified: set the DNS records that Resend shows");
}
