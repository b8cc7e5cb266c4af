import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { readEnv } from "@/core/env";
import { SECOND } from "@/core/time";
import { deliveries } from "@/db/schema";
import { setAlertEmail } from "@/features/notifications/addresses.service";
import { useDailyRuns } from "@/test/daily-run";
import { createResendError, RESEND_KEY, type ResendServer, startResendServer } from "@/test/resend-server";
import { createKey } from "@/test/service";
import { createSlackError, type SlackServer, startSlackServer } from "@/test/slack-server";
import type { Fault } from "@/test/stand-in";
import { createJobs } from "./jobs";
import { createServiceContext } from "./services";

const ALERTS = 12;

/** Answers of an overloaded service to a post that it does not accept. */
const REFUSALS = [createSlackError(429, "rate_limited", { "retry-after": "2" }), createSlackError(503, "server_error")];

describe("alerts sent by Resend and a channel's webhook", () => {
  const runs = useDailyRuns();
  const { service } = runs;
  let resend: ResendServer;
  let slack: SlackServer;
  let alertIds: string[] = [];

  beforeAll(async () => {
    resend = await startResendServer({ clock: service.clock });
    slack = await startSlackServer();
  });
  afterAll(() => Promise.all([resend.stop(), slack.stop()]));

  beforeEach(async () => {
    for (const server of [resend, slack]) server.reset();
    resend.accepted.length = 0;
    slack.posts.length = 0;
    const key = await createKey(service);
    await setAlertEmail(service, key.id, `scout-${runs.day}@agency.test`);
    alertIds = [];
    for (let made = 0; made < ALERTS; made++) alertIds.push(await runs.makeAlert(key.id));
  });

  /** Delivers in a new process with these variables. @returns what it logged */
  async function deliverAll(): Promise<string> {
    const env = readEnv({
      NODE_ENV: "test",
      APP_URL: "http://growth.test",
      DATA_DIR: service.env.dataDir,
      RESEND_API_KEY: RESEND_KEY,
      RESEND_BASE_URL: resend.url,
      ALERT_EMAIL_FROM: "Creator Growth <growth@mail.test>",
      MONITORING_WEBHOOK_URL: slack.webhookUrl,
    });
    const { db, clock, log, platform } = service;
    const lines = (["error", "warn", "info"] as const).map((level) => vi.spyOn(log, level));
    const jobs = await createJobs(createServiceContext(env, { db, clock, log, platform }));
    await jobs.deliverWaiting();
    await jobs.engine.drain((to) => clock.set(to));
    const logged = JSON.stringify(lines.flatMap((spy) => spy.mock.calls));
    for (const spy of lines) spy.mockRestore();
    return logged;
  }

  const listMailKeys = () => resend.accepted.map(({ key }) => key).sort();
  const listExpectedKeys = () => alertIds.map((id) => `alert/${id}`).sort();
  const listRows = (destination: "email" | "monitoring") =>
    service.db
      .select()
      .from(deliveries)
      .where(inArray(deliveries.alertId, alertIds))
      .then((all) => all.filter((row) => row.destination === destination));

  it("send one accepted email and one post each", async () => {
    await deliverAll();
    expect(listMailKeys()).toEqual(listExpectedKeys());
    expect(slack.posts).toHaveLength(ALERTS);
    expect([resend.calls.length, slack.calls.length]).toEqual([ALERTS, ALERTS]);
    const ids = (await listRows("email")).map(({ messageId }) => messageId).sort();
    expect(ids).toEqual(resend.accepted.map(({ id }) => id).sort());
  });

  it.each<[string, Fault, Fault]>([
    ["refused", createResendError(429, "rate_limit_exceeded", "", { "retry-after": "1" }), REFUSALS[0] as Fault],
    ["answered by an error", createResendError(500, "internal_server_error"), REFUSALS[1] as Fault],
    ["lost after it was accepted", "lost", REFUSALS[1] as Fault],
  ])("send one email and one post each when every third call is %s", async (_, mailFault, postFault) => {
    resend.failEvery = { every: 3, fault: mailFault };
    slack.failEvery = { every: 3, fault: postFault };
    await deliverAll();
    expect(listMailKeys()).toEqual(listExpectedKeys());
    expect(slack.posts).toHaveLength(ALERTS);
    for (const row of [...(await listRows("email")), ...(await listRows("monitoring"))])
      expect(row).toMatchObject({ status: "sent", problem: null });
  });

  it("send emails at their own pace while the webhook is down, and log it without its address", async () => {
    slack.failEvery = { every: 2, fault: createSlackError(404, "no_service") };
    slack.faults.push(createSlackError(404, "no_service"));
    const begun = service.clock.now().getTime();
    const logged = await deliverAll();
    expect(listMailKeys()).toEqual(listExpectedKeys());
    const last = Math.max(...(await listRows("email")).map(({ finishedAt }) => finishedAt?.getTime() ?? 0));
    expect(last - begun).toBeLessThanOrEqual((ALERTS / 2) * SECOND);
    const failed = (await listRows("monitoring")).filter(({ status }) => status === "failed");
    expect(failed.length).toBeGreaterThan(1);
    expect(slack.calls).toHaveLength(ALERTS);
    expect(logged.match(/no_service/g)).toHaveLength(failed.length);
    expect(logged).toContain("Set MONITORING_WEBHOOK_URL");
    expect(logged).not.toMatch(/secretsecret|B00000000/);
  });

  it("report a wrong API key without repeating it, and send the emails once it is right", async () => {
    const wrong = createResendError(403, "invalid_api_key", `API key ${RESEND_KEY} is invalid`);
    resend.faults.push(...alertIds.map(() => wrong));
    const logged = await deliverAll();
    expect(logged).toContain("Set RESEND_API_KEY");
    expect(logged).not.toContain(RESEND_KEY);
    expect(listMailKeys()).toEqual(listExpectedKeys());
    const [row] = await service.db
      .select()
      .from(deliveries)
      .where(eq(deliveries.alertId, alertIds[0] ?? ""));
    expect(JSON.stringify(row)).not.toContain(RESEND_KEY);
  });
});
