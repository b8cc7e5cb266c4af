import { INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY, startInngestServer } from "./inngest-server";
import { startRedisServer } from "./redis-server";
import { RESEND_KEY, RESEND_WEBHOOK_SECRET, startResendServer } from "./resend-server";
import { startSlackServer } from "./slack-server";
import { startSampleYoutube } from "./youtube-sample";

/** Local stand-ins for all external services. */
export type StandIns = Awaited<ReturnType<typeof startStandIns>>;

/** Inngest first waits 15 seconds. Here it is three, about what the product needs to start. */
const HURRY = 5;

/**
 * Starts all stand-ins for one product, as Inngest knows one address per app. YouTube shows the creators of the sample
 * platform.
 */
export async function startStandIns() {
  const youtube = await startSampleYoutube();
  const redis = await startRedisServer();
  const resend = await startResendServer();
  const slack = await startSlackServer();
  const inngest = await startInngestServer({ hurry: HURRY });
  return {
    youtube,
    redis,
    resend,
    slack,
    inngest,
    /** The environment variables that make a product use all of them. */
    variables: {
      YOUTUBE_API_KEY: youtube.apiKey,
      YOUTUBE_API_URL: youtube.url,
      UPSTASH_REDIS_REST_URL: redis.url,
      UPSTASH_REDIS_REST_TOKEN: redis.token,
      RESEND_API_KEY: RESEND_KEY,
      RESEND_BASE_URL: resend.url,
      RESEND_WEBHOOK_SECRET,
      ALERT_EMAIL_FROM: "Creator Growth <growth@mail.test>",
      MONITORING_WEBHOOK_URL: slack.webhookUrl,
      INNGEST_EVENT_KEY,
      INNGEST_SIGNING_KEY,
      INNGEST_BASE_URL: inngest.url,
    },
    stop: async () => {
      await inngest.stop();
      await Promise.all([youtube, redis, resend, slack].map((service) => service.stop()));
    },
  };
}
