import { createRandom } from "@/features/growth/statistics.rules";
import { createChannelId } from "@/test/platform";
import { createResendError } from "@/test/resend-server";
import { createSlackError } from "@/test/slack-server";
import type { StandIns } from "@/test/stand-ins";
import { ERRORS } from "@/test/youtube-answers";
import { trackSinceYesterday } from "../day";
import { expect, type KeyClient, type Site, test } from "../fixtures";
import { expectRegistered, requestRun, simulateHour, simulateHoursUntil, waitUntil } from "../services";

const CHANNELS = Array.from({ length: 1000 }, (_, number) => createChannelId(number));
const CALLS = 20;
/** Every n-th channel doubles its subscribers. */
const GROWING = 25;
const ALERTS = Math.ceil(CHANNELS.length / GROWING);
const KILLS = 10;

// A product that is killed ten times starts eleven times, which takes minutes on a slow machine.
test.describe.configure({ timeout: 1_800_000 });

/** Creates a key with an alert address that tracks a thousand channels since yesterday. */
async function prepare(site: Site, standIns: StandIns): Promise<KeyClient> {
  const { youtube } = standIns;
  youtube.reset();
  for (const [at, id] of CHANNELS.entries()) youtube.show(id, { subscribers: at % GROWING ? 1000 : 2000 });
  await site.start();
  await expectRegistered(standIns);
  const client = await site.newClient("pro");
  expect((await client.post("/api/alerts/email", { email: "scout@agency.test" })).status).toBe(200);
  await trackSinceYesterday(site.dataDir, client.keyId, CHANNELS, 1000);
  return client;
}

/** Expects complete coverage and one email per alert. @returns the number of repeated posts */
async function expectAllDelivered(client: KeyClient, { resend, slack }: StandIns, hint?: string): Promise<number> {
  expect((await client.get("/api/health")).body, hint).toMatchObject({
    coverage: 1,
    last_run: { planned: CHANNELS.length, failed: 0, alerts: ALERTS },
  });
  expect((await client.get("/api/alerts")).body.pagination?.total, hint).toBe(ALERTS);
  expect(new Set(resend.accepted.map(({ mail }) => mail.subject)).size, hint).toBe(ALERTS);
  expect(resend.accepted, hint).toHaveLength(ALERTS);
  const posts = slack.posts.map(({ text }) => text);
  expect(new Set(posts).size, hint).toBe(ALERTS);
  return posts.length - ALERTS;
}

test("a day of 1,000 channels makes 20 calls, and one email and one post for each alert", async ({
  site,
  standIns,
}) => {
  const client = await prepare(site, standIns);
  await requestRun(standIns);
  await standIns.inngest.engine.idle();
  expect(await expectAllDelivered(client, standIns)).toBe(0);
  const { calls, countAnswered } = standIns.youtube;
  // The newest videos of a creator with an alert are read for its cause. Here no creator has any.
  const reads = calls.filter(({ path }) => path === "playlistItems");
  expect([countAnswered("channels"), reads.length, calls.length]).toEqual([CALLS, ALERTS, CALLS + ALERTS]);
  expect([standIns.resend.calls.length, standIns.slack.calls.length]).toEqual([ALERTS, ALERTS]);
});

test("a day with every third call failing makes 20 answered calls, one email and one post per alert", async ({
  site,
  standIns,
}) => {
  const { youtube, redis, resend, slack, inngest } = standIns;
  const client = await prepare(site, standIns);
  youtube.failEvery = { every: 3, fault: ERRORS.backend };
  redis.failEvery = { every: 3, fault: { status: 500, body: '{"error":"ERR internal error"}' } };
  resend.failEvery = { every: 3, fault: createResendError(500, "internal_server_error") };
  slack.failEvery = { every: 3, fault: createSlackError(429, "rate_limited", { "retry-after": "1" }) };
  inngest.failEvery = { every: 3, fault: { status: 500, body: { error: "Internal error", status: 500 } } };
  await expect
    .poll(() =>
      requestRun(standIns).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  // A delivery that failed nine times in a row waits for the sweep.
  await simulateHoursUntil(standIns, site.dataDir, () => isAllDelivered(standIns));
  expect(await expectAllDelivered(client, standIns)).toBe(0);
  const failed = youtube.calls.filter(({ status }) => status === ERRORS.backend.status).length;
  expect([youtube.countAnswered("channels"), failed]).toEqual([CALLS, Math.floor(youtube.calls.length / 3)]);
  expect([resend.calls.length, slack.calls.length]).toEqual([countWithRetries(ALERTS), countWithRetries(ALERTS)]);
});

/** The number of requests needed when every third fails. */
function countWithRetries(answered: number): number {
  return answered + Math.floor((answered - 1) / 2);
}

test("a day with ten random kills loses no alert and has each email accepted once", async ({ site, standIns }) => {
  const seed = Number(process.env.E2E_SEED) || Math.ceil(Math.random() * 2 ** 31);
  const hint = `repeat with E2E_SEED=${seed}`;
  const random = createRandom(seed);
  const client = await prepare(site, standIns);
  await requestRun(standIns);
  for (let kill = 1; kill <= KILLS; kill++) {
    const moment = countRequests(standIns) + 1 + Math.floor(random() * 20);
    const isThere = () => countRequests(standIns) >= moment;
    if (!(await waitUntil(standIns, isThere))) {
      await simulateHour(standIns, site.dataDir);
      await waitUntil(standIns, isThere);
    }
    expect(isAllDelivered(standIns), hint).toBe(false);
    for (const product of site.running()) await product.kill();
    await site.start();
  }
  await simulateHoursUntil(standIns, site.dataDir, () => isAllDelivered(standIns));
  expect(await expectAllDelivered(client, standIns, hint), hint).toBeLessThanOrEqual(KILLS);
});

function isAllDelivered({ resend, slack }: StandIns): boolean {
  return resend.accepted.length === ALERTS && new Set(slack.posts.map(({ text }) => text)).size === ALERTS;
}

/** Progress of the day: requests sent to the services. */
function countRequests({ youtube, resend, slack, inngest }: StandIns): number {
  return youtube.calls.length + resend.calls.length + slack.calls.length + inngest.calls.length;
}
