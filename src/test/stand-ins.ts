import { INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY, type InngestServer } from "./inngest-server";
import { RESEND_KEY, RESEND_WEBHOOK_SECRET, type ResendServer } from "./resend-server";
import type { SlackServer } from "./slack-server";

interface StandIns {
  resend: ResendServer;
  slack: SlackServer;
  inngest: InngestServer;
}

/** The variables by which the product uses stand-ins in place of the services. */
export function standInVariables({ resend, slack, inngest }: StandIns) {
  return {
    RESEND_API_KEY: RESEND_KEY,
    RESEND_BASE_URL: resend.url,
    RESEND_WEBHOOK_SECRET,
    ALERT_EMAIL_FROM: "Creator Growth <growth@mail.test>",
    MONITORING_WEBHOOK_URL: slack.webhookUrl,
    INNGEST_EVENT_KEY,
    INNGEST_SIGNING_KEY,
    INNGEST_BASE_URL: inngest.url,
  };
}
