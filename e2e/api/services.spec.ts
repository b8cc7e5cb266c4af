import { createResendError } from "@/test/resend-server";
import { createSlackError } from "@/test/slack-server";
import type { StandIns } from "@/test/stand-ins";
import { ERRORS } from "@/test/youtube-answers";
import { simulateDay } from "../day";
import { expect, type KeyClient, requireValue, type Site, test } from "../fixtures";
import { getBaseUrl, runNpm } from "../product";
import { expectRegistered, requestRun, simulateHoursUntil, waitUntil } from "../services";

const HANDLES = ["@juniperfivecrits", "@bramblewickarcade", "@saffronwheelbarrow", "@nonnabettarina"];
const ADDRESS = "scout@agency.test";

// Three starts of the product, on a slow machine too.
test.describe.configure({ timeout: 600_000 });

/** Creates a key with an alert address whose creators all doubled since yesterday. */
async function prepare(site: Site, standIns: StandIns): Promise<KeyClient> {
  await site.start(standIns.variables);
  await expectRegistered(standIns);
  const client = await site.newClient("free");
  expect((await client.post("/api/alerts/email", { email: ADDRESS })).status).toBe(200);
  const percents = new Map<string, number>();
  for (const channel_id of HANDLES) {
    const { body } = await client.post("/api/track", { channel_id });
    percents.set(requireValue(body.creator).channel_id, 100);
  }
  await simulateDay(site.dataDir, client.keyId, percents);
  return client;
}

function expectEachSentOnce({ resend, slack }: StandIns): void {
  expect(new Set(resend.accepted.map(({ key }) => key)).size).toBe(HANDLES.length);
  expect(new Set(slack.posts.map(({ text }) => text)).size).toBe(HANDLES.length);
  expect([resend.accepted.length, slack.posts.length]).toEqual([HANDLES.length, HANDLES.length]);
}

test("each alert is one email and one post with all services, and a bounce ends the emails", async ({
  site,
  standIns,
}) => {
  const { resend, slack, variables } = standIns;
  const client = await prepare(site, standIns);
  await requestRun(standIns);
  await expect.poll(() => [resend.accepted.length, slack.posts.length]).toEqual([HANDLES.length, HANDLES.length]);
  expectEachSentOnce(standIns);
  expect((await client.get("/api/alerts")).body.pagination?.total).toBe(HANDLES.length);
  const { id, mail } = requireValue(resend.accepted[0]);
  expect(mail).toMatchObject({ to: [ADDRESS], from: variables.ALERT_EMAIL_FROM });
  expect(mail.headers).toMatchObject({ "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" });

  const tags = Object.fromEntries((mail.tags ?? []).map(({ name, value }) => [name, value]));
  const event = resend.createEvent({
    type: "email.bounced",
    data: { email_id: id, tags, bounce: { type: "Permanent", subType: "General", message: "unknown" } },
  });
  const url = `${getBaseUrl(site.port)}/api/webhooks/resend`;
  const body = await event.text();
  const answer = await fetch(url, { method: "POST", headers: event.headers, body });
  expect([answer.status, await answer.json()]).toEqual([200, { status: "ok" }]);
  const forged = await fetch(url, { method: "POST", headers: event.headers, body: `${body} ` });
  expect(forged.status).toBe(401);
  expect((await client.get("/api/alerts/email")).body.email).toBeNull();
  const again = await client.post("/api/alerts/email", { email: ADDRESS });
  expect(again.body.message, again.text).toContain("once you confirm with the link");
});

test("no alert is lost and no email sent twice when services fail and the product is killed twice", {
  tag: "@nightly",
}, async ({ site, standIns }) => {
  const { resend, slack, youtube, inngest, variables } = standIns;
  resend.failEvery = { every: 3, fault: createResendError(500, "internal_server_error") };
  slack.failEvery = { every: 3, fault: createSlackError(429, "rate_limited", { "retry-after": "1" }) };
  youtube.failEvery = { every: 3, fault: ERRORS.backend };
  await prepare(site, standIns);
  await requestRun(standIns);
  const moments = [() => inngest.steps.length > 1, () => resend.accepted.length > 0];
  for (const isThere of moments) {
    await waitUntil(standIns, isThere);
    for (const product of site.running()) await product.kill();
    await site.start(variables);
  }
  await simulateHoursUntil(
    standIns,
    site.dataDir,
    () => new Set(slack.posts.map(({ text }) => text)).size === HANDLES.length,
  );
  const keys = resend.accepted.map(({ key }) => key);
  expect([keys.length, new Set(keys).size]).toEqual([HANDLES.length, HANDLES.length]);
  // A post accepted but not recorded before the kill is sent again.
  const posts = slack.posts.map(({ text }) => text);
  expect(new Set(posts).size).toBe(HANDLES.length);
  expect(posts.length).toBeLessThanOrEqual(HANDLES.length + moments.length);
});

test("npm run snapshot works by itself while Inngest runs the jobs", {
  tag: "@nightly",
}, async ({ site, standIns }) => {
  await prepare(site, standIns);
  // Inngest's schedules would resume today's run.
  await standIns.inngest.engine.stop();
  const events = standIns.inngest.events.length;
  const { code, stdout, stderr } = await runNpm("snapshot", ["--json"], site.dataDir, standIns.variables);
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    read: HANDLES.length,
    alerts: HANDLES.length,
    mails: HANDLES.length,
  });
  expectEachSentOnce(standIns);
  expect(standIns.inngest.events.length).toBe(events);
});
