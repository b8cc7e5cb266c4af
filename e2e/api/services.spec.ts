import { type InngestServer, startInngestServer } from "@/test/inngest-server";
import { type ResendServer, resendError, startResendServer } from "@/test/resend-server";
import { type SlackServer, slackError, startSlackServer } from "@/test/slack-server";
import { standInVariables } from "@/test/stand-ins";
import { liveThroughADay } from "../day";
import { expect, type KeyClient, required, type Site, test } from "../fixtures";
import { baseUrl, runNpm } from "../product";

const HANDLES = ["@juniperfivecrits", "@bramblewickarcade", "@saffronwheelbarrow", "@nonnabettarina"];
const ADDRESS = "scout@agency.test";

/** Everybody the product talks to, as servers that speak their protocols. */
interface Services {
  resend: ResendServer;
  slack: SlackServer;
  inngest: InngestServer;
  env: Record<string, string>;
}

const withServices = test.extend<{ services: Services }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a pattern and reads the names in it
  services: async ({}, use) => {
    const resend = await startResendServer();
    const slack = await startSlackServer();
    const inngest = await startInngestServer();
    await use({ resend, slack, inngest, env: standInVariables({ resend, slack, inngest }) });
    await Promise.all([resend.stop(), slack.stop(), inngest.stop()]);
  },
});

/** A mailed key all of whose creators have doubled since yesterday, on a product that the services know. */
async function prepare(site: Site, { env, inngest }: Services): Promise<KeyClient> {
  await site.start(env);
  await expect.poll(() => inngest.functions.length, { timeout: 20_000 }).toBeGreaterThan(0);
  const client = await site.newClient("free");
  expect((await client.post("/api/alerts/email", { email: ADDRESS })).status).toBe(200);
  const percents = new Map<string, number>();
  for (const channel_id of HANDLES) {
    const { body } = await client.post("/api/track", { channel_id });
    percents.set(required(body.creator).channel_id, 100);
  }
  await liveThroughADay(site.dataDir, client.keyId, percents);
  return client;
}

/** Asks for today's collection by an event, as any other service of the operator's could. */
async function requestRun({ inngest, env }: Services): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const answer = await fetch(`${inngest.url}/e/${env.INNGEST_EVENT_KEY}`, {
    method: "POST",
    body: JSON.stringify([{ name: "snapshot/run.requested", data: { day, scope: "open" } }]),
  });
  expect(answer.status).toBe(200);
}

const keys = ({ resend }: Services) => resend.accepted.map(({ key }) => key);

async function expectEachToldOnce(services: Services, timeout: number): Promise<void> {
  await expect
    .poll(() => [services.resend.accepted.length, services.slack.posts.length], { timeout })
    .toEqual([HANDLES.length, HANDLES.length]);
  expect(new Set(keys(services)).size).toBe(HANDLES.length);
  expect(new Set(services.slack.posts.map(({ text }) => text)).size).toBe(HANDLES.length);
}

withServices(
  "with Inngest, Resend and Slack each alert is one mail and one post, and a bounce ends the mails",
  async ({ site, services }) => {
    test.setTimeout(90_000);
    const client = await prepare(site, services);
    await requestRun(services);
    await expectEachToldOnce(services, 30_000);
    expect((await client.get("/api/alerts")).body.pagination?.total).toBe(HANDLES.length);
    const [{ id, mail }] = services.resend.accepted as [ResendServer["accepted"][number]];
    expect(mail).toMatchObject({ to: [ADDRESS], from: services.env.ALERT_EMAIL_FROM });
    expect(mail.headers).toMatchObject({ "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" });

    const tags = Object.fromEntries((mail.tags ?? []).map(({ name, value }) => [name, value]));
    const event = services.resend.event({
      type: "email.bounced",
      data: { email_id: id, tags, bounce: { type: "Permanent", subType: "General", message: "unknown" } },
    });
    const url = `${baseUrl(site.port)}/api/webhooks/resend`;
    const body = await event.text();
    const told = await fetch(url, { method: "POST", headers: event.headers, body });
    expect([told.status, await told.json()]).toEqual([200, { status: "ok" }]);
    const forged = await fetch(url, { method: "POST", headers: event.headers, body: `${body} ` });
    expect(forged.status).toBe(401);
    expect((await client.get("/api/alerts/email")).body.email).toBeNull();
    const again = await client.post("/api/alerts/email", { email: ADDRESS });
    expect(again.body.message, again.text).toContain("once it confirms by the link");
  },
);

withServices(
  "with services that fail now and then, and a product killed in the middle, it is that too",
  async ({ site, services }) => {
    test.setTimeout(240_000);
    services.resend.failEvery = { every: 3, fault: resendError(500, "internal_server_error") };
    services.slack.failEvery = { every: 3, fault: slackError(429, "rate_limited", { "retry-after": "1" }) };
    await prepare(site, services);
    await requestRun(services);
    await expect.poll(() => services.inngest.calls.length, { intervals: [20] }).toBeGreaterThan(1);
    for (const product of site.running()) await product.kill();
    await site.start(services.env);
    await expect
      .poll(() => services.resend.accepted.length, { intervals: [20], timeout: 60_000 })
      .toBeGreaterThan(0);
    for (const product of site.running()) await product.kill();
    await site.start(services.env);
    await expectEachToldOnce(services, 150_000);
  },
);

withServices("npm run snapshot works by itself while Inngest runs the jobs", async ({ site, services }) => {
  test.setTimeout(90_000);
  await prepare(site, services);
  const calls = services.inngest.calls.length;
  const { code, stdout, stderr } = await runNpm("snapshot", ["--json"], site.dataDir, services.env);
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    read: HANDLES.length,
    alerts: HANDLES.length,
    mails: HANDLES.length,
  });
  await expectEachToldOnce(services, 1_000);
  expect(services.inngest.calls.length).toBe(calls);
});
