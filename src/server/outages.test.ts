import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createWebhookMonitoring } from "@/core/mail/monitoring";
import { createResendMailer } from "@/core/mail/resend";
import { DAY, HOUR, MINUTE } from "@/core/time";
import { connect, type DatabaseConnection } from "@/db/client";
import { createLedger } from "@/features/usage/units.service";
import { UpstashQuota } from "@/features/usage/upstash.service";
import { createSignedRequest } from "@/jobs/protocol";
import { createYoutubePlatform } from "@/platform/youtube";
import { type Console, openConsole } from "@/test/console";
import { createErrorPacket } from "@/test/database";
import { type Front, OUTAGES, openFront } from "@/test/front";
import { INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY, type InngestServer, startInngestServer } from "@/test/inngest-server";
import { type RedisServer, startRedisServer } from "@/test/redis-server";
import { send } from "@/test/request";
import { RESEND_KEY, type ResendServer, startResendServer } from "@/test/resend-server";
import { createKey, type TestKey, useService } from "@/test/service";
import { type SlackServer, startSlackServer } from "@/test/slack-server";
import { startYoutubeServer, type YoutubeServer } from "@/test/youtube-server";
import { installContext } from "./context";
import { createInngestJobs } from "./inngest";

/** Timeouts in this test for a hanging service and for any other. */
const SHORT_MS = 1000;
const LONG_MS = 60_000;
const BUSY_DATABASE = createErrorPacket("FATAL", "53300", "sorry, too many clients already");
const DATABASE_WORDS = { unable: BUSY_DATABASE, garbage: "HTTP/1.1 400 Bad Request\r\n\r\n" };
const LIMITS = { search: 100, general: 10_000 };
const CHANNEL = "UCtest000000000000000001";

const SERVICES = ["database", "redis", "platform", "mail", "monitoring", "inngest"] as const;
type ServiceName = (typeof SERVICES)[number];

/** Expected answers while a service is down: `[status, text]`, or none of it visible. */
const DATABASE_OUT = [503, "The service is unavailable. Try again."] as const;
const PLATFORM_OUT = [503, "The video platform is unavailable. Try again later."] as const;
const MAIL_OUT = [503, "The test email could not be sent. Try again."] as const;
const FINE = [200, undefined] as const;

const EXPECTED: Record<ServiceName, Record<"usage" | "track" | "discover" | "testMail", readonly [number, string?]>> = {
  database: { usage: DATABASE_OUT, track: DATABASE_OUT, discover: DATABASE_OUT, testMail: DATABASE_OUT },
  redis: { usage: FINE, track: FINE, discover: FINE, testMail: FINE },
  platform: { usage: FINE, track: PLATFORM_OUT, discover: FINE, testMail: FINE },
  mail: { usage: FINE, track: FINE, discover: FINE, testMail: MAIL_OUT },
  monitoring: { usage: FINE, track: FINE, discover: FINE, testMail: FINE },
  inngest: { usage: FINE, track: FINE, discover: FINE, testMail: FINE },
};

const CROWD = 40;
/**
 * How often a crowd may call a service that is down, and one that is back: a request tries the platform
 * three times, one failure pauses Redis for all, and each pooled connection reconnects once.
 */
const CALLS_OF_CROWD = [
  ["database", { out: 5 * CROWD, back: CROWD / 2 }],
  ["redis", { out: CROWD, back: CROWD }],
  ["platform", { out: 3 * CROWD, back: CROWD }],
] as const;

describe("outages", () => {
  const service = useService();
  const fronts = {} as Record<ServiceName, Front>;
  let redis: RedisServer;
  let youtube: YoutubeServer;
  let resend: ResendServer;
  let slack: SlackServer;
  let inngest: InngestServer;
  let through: DatabaseConnection;
  let key: TestKey;
  let reader: Console;

  beforeAll(async () => {
    [redis, youtube] = [await startRedisServer(), await startYoutubeServer({ clock: service.clock })];
    [resend, slack] = [await startResendServer({ clock: service.clock }), await startSlackServer()];
    inngest = await startInngestServer({ clock: service.clock });
    youtube.show(CHANNEL, { name: "Some Maker", subscribers: 1000 });
    youtube.publish({ channelId: CHANNEL, title: "chess", publishedAt: "2026-03-09T12:00:00Z" });
    const behind = { redis, platform: youtube, mail: resend, inngest };
    for (const [part, { url }] of Object.entries(behind)) fronts[part as ServiceName] = await openFront(url);
    fronts.monitoring = await openFront(slack.webhookUrl);
    fronts.database = await openFront(service.databaseUrl, DATABASE_WORDS);
    through = connect(fronts.database.url);
    // Inngest takes events of an app that it knows.
    await createJobsAt(inngest.url).served.PUT(createSignedRequest("PUT", {}, INNGEST_SIGNING_KEY), undefined);
    expect(inngest.functions).not.toEqual([]);
  });

  const createJobsAt = (baseUrl: string) =>
    createInngestJobs(service, {
      kind: "inngest",
      eventKey: INNGEST_EVENT_KEY,
      signingKey: INNGEST_SIGNING_KEY,
      baseUrl,
    });

  afterAll(async () => {
    for (const front of Object.values(fronts)) await front.close();
    await through.close().catch(() => {});
    await Promise.all([redis, youtube, resend, slack, inngest].map((service) => service.stop()));
  });

  beforeEach(async () => {
    service.clock.advance(DAY);
    key = await createKey(service, "pro");
    serve();
    reader = await openConsole(key.secret);
    await reader.change("addresses.set", { email: "scout@mail.example" });
  });

  /** Serves requests with a short timeout for one part. */
  function serve(hanging?: ServiceName): void {
    const { clock } = service;
    const ctx = { ...service, db: through.db };
    const getTimeout = (part: ServiceName) => (part === hanging ? SHORT_MS : LONG_MS);
    const ledger = createLedger(ctx, { limits: LIMITS, reserve: async () => 0 });
    const wait = { timeout: getTimeout("platform"), sleep: async () => {}, random: () => 0.5 };
    const redisSettings = { url: fronts.redis.url, token: redis.token };
    const resendSettings = { apiKey: RESEND_KEY, from: "Growth <growth@mail.test>", url: fronts.mail.url };
    const youtubeSettings = { apiKey: youtube.apiKey, url: fronts.platform.url, ledger, ...wait };
    installContext({
      ...ctx,
      platform: createYoutubePlatform({ ...ctx, ...youtubeSettings }),
      quota: new UpstashQuota({ ...redisSettings, timeoutMs: getTimeout("redis") }, ctx),
      mailer: createResendMailer(resendSettings, clock, getTimeout("mail")),
      monitoring: createWebhookMonitoring(fronts.monitoring.url, getTimeout("monitoring")),
      requestRenewal: createJobsAt(fronts.inngest.url).requestRenewal,
      requestTimeout: getTimeout("database"),
    });
  }

  afterEach(async () => {
    for (const front of Object.values(fronts)) await front.recover();
  });

  /** Sends one request of each kind and returns the answers. */
  async function sendRequests() {
    const { secret } = key;
    // A console call that fails before its procedure gets a plain REST error.
    const getOutcome = ({ status, body }: { status: number; body: { error?: string; message?: string } | string }) => {
      const failure = typeof body === "string" ? body : (body.error ?? body.message);
      return [status, status === 200 ? undefined : failure] as const;
    };
    const track = { key: secret, method: "POST" as const, body: { channel_id: CHANNEL } };
    const [usage, tracked, discovered, testMail] = await Promise.all([
      send("/api/usage", { key: secret }),
      send("/api/track", track),
      send("/api/discover?niche=chess", { key: secret }),
      reader.change("addresses.test"),
    ]);
    return {
      usage: getOutcome(usage),
      track: getOutcome(tracked),
      discover: getOutcome(discovered),
      testMail: getOutcome(testMail),
    };
  }

  it.each(SERVICES.flatMap((part) => OUTAGES.map((outage) => [part, outage] as const)))(
    "answers as documented while %s is out (%s), and normally after recovery",
    async (part, outage) => {
      expect(await sendRequests()).toEqual({ usage: FINE, track: FINE, discover: FINE, testMail: FINE });
      // Lets index entries be renewed again.
      service.clock.advance(2 * HOUR);
      // The driver retries a refusing database until the request times out.
      if (outage === "hanging" || part === "database") serve(part);
      await fronts[part].fail(outage);
      expect(await sendRequests()).toEqual(EXPECTED[part]);
      await fronts[part].recover();
      service.clock.advance(MINUTE);
      const isBack = async () =>
        expect(await sendRequests()).toMatchObject({ usage: FINE, track: FINE, discover: FINE });
      await vi.waitFor(isBack, { timeout: 120_000 });
    },
  );

  it.each(CALLS_OF_CROWD)(
    "limits the calls of many requests while %s is out, and after recovery",
    async (part, max) => {
      serve(part);
      await fronts[part].fail("5xx");
      await sendCrowd();
      expect(fronts[part].connections).toBeLessThanOrEqual(max.out);
      await fronts[part].recover();
      serve();
      service.clock.advance(MINUTE);
      await vi.waitFor(async () => expect(await sendCrowd()).toEqual(Array(CROWD).fill(200)), {
        timeout: 120_000,
      });
      expect(fronts[part].connections).toBeLessThanOrEqual(max.back);
    },
  );

  /** Sends concurrent requests that need every part. @returns their responses */
  async function sendCrowd(): Promise<number[]> {
    const track = { key: key.secret, method: "POST" as const, body: { channel_id: CHANNEL } };
    const answers = await Promise.all(Array.from({ length: CROWD }, () => send("/api/track", track)));
    return answers.map(({ status }) => status);
  }
});
