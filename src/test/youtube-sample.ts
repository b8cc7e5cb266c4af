import { systemClock } from "@/core/time";
import { createSamplePlatform, SAMPLE_NICHES } from "@/platform/sample";
import { startYoutubeServer, type YoutubeServer } from "./youtube-server";

/**
 * Starts a stand-in of YouTube with the current creators of the sample platform, each with a video on its niche, and
 * YouTube's own channel. So tests of the sample platform also run on YouTube.
 */
export async function startSampleYoutube(): Promise<YoutubeServer> {
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
