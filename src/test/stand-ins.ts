import { systemClock } from "@/core/time";
import { createSamplePlatform, SAMPLE_NICHES } from "@/platform/sample";
import { INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY, startInngestServer } from "./inngest-server";
import { startRedisServer } from "./redis-server";
import { RESEND_KEY, RESEND_WEBHOOK_SECRET, startResendServer } from "./resend-server";
import { startSlackServer } from "./slack-server";
import { startYoutubeServer } from "./youtube-server";

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

/**
 * Starts a stand-in of YouTube with the current creators of the sample platform, each with a video on its niche, and
 * YouTube's own channel. So tests of the sample platform also run on YouTube.
 */
async function startSampleYoutube() {
  const sample = createSamplePlatform(systemClock);
  const server = await startYoutubeServer();
  const publishedAt = `${systemClock.now().toISOString().slice(0, 19)}Z`;
  for (const niche of SAMPLE_NICHES) {
    const ids = await sample.search(niche);
    for (const { channelId, subscribers, handle, country, views, videos, name } of (await sample.listChannels(ids))
      .channels) {
      server.show(channelId, {
        name,
        username: handle?.slice(1) ?? "",
        handle: handle ?? "",
        country: country ?? "",
        hidden: subscribers === null,
        subscribers: subscribers ?? 0,
        views: views ?? 0,
        videos: videos ?? 0,
      });
      server.publish({ channelId, title: `${name} on ${niche}`, publishedAt });
    }
  }
  server.show("UCBR8-60-B28hp2BmDPdntcQ", { name: "YouTube", handle: "@YouTube", subscribers: 44_600_000 });
  return server;
}
