import { INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY, startInngestServer } from "./inngest-server";
import { RESEND_KEY, RESEND_WEBHOOK_SECRET, startResendServer } from "./resend-server";
import { startSlackServer } from "./slack-server";

/**
 * Starts the stand-ins of all services in a process of their own, on three ports from the given one on, and prints the
 * variables by which the product uses them. Each shows its state at `/stand-in`. Run as
 * `node --import tsx src/test/stand-ins.ts 18300`; ends with a signal.
 */
const first = Number(process.argv[2] ?? 18_300);
const resend = await startResendServer({ port: first });
const slack = await startSlackServer({ port: first + 1 });
const inngest = await startInngestServer({ port: first + 2 });

const variables = {
  RESEND_API_KEY: RESEND_KEY,
  RESEND_BASE_URL: resend.url,
  RESEND_WEBHOOK_SECRET,
  ALERT_EMAIL_FROM: "Creator Growth <growth@mail.test>",
  MONITORING_WEBHOOK_URL: slack.webhookUrl,
  INNGEST_EVENT_KEY,
  INNGEST_SIGNING_KEY,
  INNGEST_BASE_URL: inngest.url,
};
for (const [name, value] of Object.entries(variables)) process.stdout.write(`${name}="${value}"\n`);
