import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as webhook from "@/app/api/webhooks/resend/route";
import { DAY, HOUR, systemClock } from "@/core/time";
import { alerts, apiKeys, deliveries, mailEvents, suppressions } from "@/db/schema";
import {
  getAlertEmail,
  getEmailSetting,
  sendTestMail,
  setAlertEmail,
} from "@/features/notifications/addresses.service";
import { deliver } from "@/features/notifications/deliveries.service";
import { createUnsubscribeToken, unsubscribe } from "@/features/notifications/suppressions.service";
import { purgeExpired } from "@/features/snapshots/retention.service";
import { installContext } from "@/server/context";
import { useDailyRuns } from "@/test/daily-run";
import {
  createEventHeaders,
  type MailEventOptions,
  RESEND_KEY,
  RESEND_WEBHOOK_SECRET,
  type ResendServer,
  startResendServer,
} from "@/test/resend-server";
import { createKey } from "@/test/service";

describe("/api/webhooks/resend", () => {
  const runs = useDailyRuns();
  const { service } = runs;
  let server: ResendServer;
  let keys = 0;

  const email = {
    kind: "resend" as const,
    apiKey: RESEND_KEY,
    from: "growth@mail.test",
    url: "http://mail.test",
    webhookSecret: RESEND_WEBHOOK_SECRET as string | null,
  };
  const configureEmail = (given: typeof email) => installContext({ ...service, env: { ...service.env, email: given } });

  beforeAll(async () => {
    server = await startResendServer({ clock: service.clock });
    configureEmail(email);
  });
  afterAll(() => server.stop());

  /** An accepted email of a new key. */
  async function makeMail(address = `scout-${keys++}@agency.test`) {
    const key = await createKey(service);
    await setAlertEmail(service, key.id, address);
    const alertId = await runs.makeAlert(key.id);
    await deliver(service, alertId, "email");
    const { id: deliveryId } = await getDelivery(alertId);
    const createEventData = (more: object = {}) => ({
      email_id: `re_${alertId}`,
      to: [address],
      tags: { kind: "alert", delivery: deliveryId },
      ...more,
    });
    return { keyId: key.id, address, alertId, deliveryId, data: createEventData };
  }

  async function getDelivery(alertId: string) {
    const rows = await service.db.select().from(deliveries).where(eq(deliveries.alertId, alertId));
    const found = rows.find(({ destination }) => destination === "email");
    if (!found) throw new Error("the alert has no mail");
    return found;
  }

  async function post(type: string, data: MailEventOptions["data"], id?: string) {
    const answer = await webhook.POST(server.createEvent({ type, data, id }));
    expect([answer.status, await answer.json()]).toEqual([200, { status: "ok" }]);
  }

  const listReasons = (keyId: string) =>
    service.db.select({ reason: suppressions.reason }).from(suppressions).where(eq(suppressions.keyId, keyId));

  const BOUNCE = { bounce: { type: "Permanent", subType: "General", message: "no such mailbox" } };

  it("stores what happened to an email: id, time and explanation", async () => {
    const mail = await makeMail();
    await post("email.delivered", mail.data());
    expect(await getDelivery(mail.alertId)).toMatchObject({
      status: "sent",
      messageId: `re_${mail.alertId}`,
      receipt: "delivered",
      receiptAt: service.clock.now(),
      receiptDetail: null,
    });
    await post("email.bounced", mail.data(BOUNCE));
    expect(await getDelivery(mail.alertId)).toMatchObject({
      receipt: "bounced",
      receiptDetail: "Permanent General no such mailbox",
    });
  });

  it.each([
    ["bounced permanently", "email.bounced", BOUNCE, "bounced"],
    ["complained", "email.complained", {}, "complained"],
    ["is suppressed by the mail service", "email.suppressed", { suppressed: { type: "x" } }, "bounced"],
  ])("stops the emails of a key to an address that %s, until it confirms", async (_, type, more, reason) => {
    const mail = await makeMail();
    const other = await createKey(service);
    await setAlertEmail(service, other.id, mail.address);
    await post(type, mail.data(more));
    expect(await listReasons(mail.keyId)).toEqual([{ reason }]);
    expect(await getAlertEmail(service, mail.keyId)).toBeNull();
    const again = await setAlertEmail(service, mail.keyId, mail.address);
    expect(again).toContain("once you confirm with the link");
    expect(await getAlertEmail(service, other.id)).toBe(mail.address);
    expect(await listReasons(other.id)).toEqual([]);
  });

  it("posts a mail that bounced once, names its key without the address, and says it to the customer", async () => {
    const mail = await makeMail();
    const bounce = { bounce: { type: "Permanent", message: `550 <${mail.address}> unknown` } };
    runs.channel.notices.length = 0;
    await post("email.bounced", mail.data(bounce), "evt-once");
    await post("email.bounced", mail.data(bounce), "evt-once");
    expect(runs.channel.notices).toEqual([
      expect.stringMatching(
        new RegExp(`${mail.keyId} did not arrive .*: it bounced .Permanent 550 <.address.> unknown.`),
      ),
    ]);
    expect(await getEmailSetting(service, mail.keyId)).toMatchObject({
      email: null,
      delivery: "bounced",
      delivery_hint: "Check the address, then set it again to get a confirmation link.",
    });
  });

  it("turns the address to refused after a bounce that may pass", async () => {
    const mail = await makeMail();
    await post("email.bounced", mail.data({ bounce: { type: "Transient", message: "mailbox full" } }));
    expect(await getEmailSetting(service, mail.keyId)).toMatchObject({ email: mail.address, delivery: "refused" });
  });

  it.each([
    ["test", "email.bounced", BOUNCE, "bounced"],
    ["test", "email.complained", {}, "complained"],
    ["test", "email.delivered", {}, null],
    ["confirmation", "email.bounced", BOUNCE, "unsubscribed"],
    ["confirmation", "email.complained", {}, "complained"],
  ])("handles an event of a %s email: %s %j sets %s", async (kind, type, more, reason) => {
    const address = `scout-${keys++}@agency.test`;
    const key = await createKey(service);
    await setAlertEmail(service, key.id, address);
    if (kind === "test") await sendTestMail(service, key.id);
    else {
      await unsubscribe(service, createUnsubscribeToken(service, key.id, address));
      await setAlertEmail(service, key.id, address);
    }
    const sent = runs.mailService.accepted.findLast(({ to }) => to === address);
    expect(sent?.tags).toEqual({ kind, key: key.id });
    const data = { email_id: "re_1", to: [address], tags: sent?.tags ?? {}, ...more };
    await post(type, data);
    expect(await listReasons(key.id)).toEqual(reason === null ? [] : [{ reason }]);
    expect(await getAlertEmail(service, key.id)).toBe(reason === null ? address : null);
  });

  it.each([
    ["email.bounced", { bounce: { type: "Transient", subType: "MailboxFull", message: "full" } }],
    ["email.bounced", {}],
    ["email.delivery_delayed", {}],
    ["email.failed", { failed: { reason: "no_recipient" } }],
    ["email.delivered", {}],
  ])("keeps the address after %s %j", async (type, more) => {
    const mail = await makeMail();
    await post(type, mail.data(more));
    expect((await getDelivery(mail.alertId)).receipt).not.toBeNull();
    expect(await getAlertEmail(service, mail.keyId)).toBe(mail.address);
    expect(await listReasons(mail.keyId)).toEqual([]);
  });

  it("keeps an address that replaced the bounced one", async () => {
    const mail = await makeMail();
    await setAlertEmail(service, mail.keyId, "successor@agency.test");
    await post("email.bounced", mail.data(BOUNCE));
    expect(await getAlertEmail(service, mail.keyId)).toBe("successor@agency.test");
    expect(await setAlertEmail(service, mail.keyId, mail.address)).toContain("once you confirm");
  });

  it("reaches the same result in any order of events, repeated or not", async () => {
    const types = ["email.delivery_delayed", "email.delivered", "email.bounced", "email.complained"];
    const orders = [types, [...types].reverse(), [types[2], types[0], types[3], types[1]].map(String)];
    for (const order of orders) {
      const mail = await makeMail();
      for (const type of order)
        for (const _ of [1, 2]) await post(type, mail.data(BOUNCE), `msg_${mail.alertId}_${type}`);
      expect(await getDelivery(mail.alertId)).toMatchObject({ receipt: "complained" });
      expect(await listReasons(mail.keyId)).toHaveLength(1);
    }
  });

  it("counts an event once: a repetition after the address confirmed changes nothing", async () => {
    const mail = await makeMail();
    await post("email.bounced", mail.data(BOUNCE), `msg_${mail.alertId}`);
    await service.db.delete(suppressions).where(eq(suppressions.keyId, mail.keyId));
    await setAlertEmail(service, mail.keyId, mail.address);
    service.clock.advance(HOUR);
    await post("email.bounced", mail.data(BOUNCE), `msg_${mail.alertId}`);
    expect(await getAlertEmail(service, mail.keyId)).toBe(mail.address);
    expect(await listReasons(mail.keyId)).toEqual([]);
  });

  it("counts an event once that arrives in five concurrent requests", async () => {
    const mail = await makeMail();
    const event = { type: "email.complained", data: mail.data(), id: `msg_${mail.alertId}` };
    const answers = await Promise.all(Array.from({ length: 5 }, () => webhook.POST(server.createEvent(event))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await service.db.select().from(mailEvents).where(eq(mailEvents.id, event.id))).toHaveLength(1);
  });

  it.each(["sending", "pending", "unknown", "failed"] as const)(
    "marks a delivery that is %s as sent, because the event proves it",
    async (status) => {
      const mail = await makeMail();
      await service.db
        .update(deliveries)
        .set({ status, messageId: null, finishedAt: null, problem: "no answer" })
        .where(eq(deliveries.id, mail.deliveryId));
      await post("email.delivered", mail.data());
      expect(await getDelivery(mail.alertId)).toMatchObject({
        status: "sent",
        problem: null,
        messageId: `re_${mail.alertId}`,
        finishedAt: service.clock.now(),
      });
    },
  );

  it("accepts a complaint about an alert that was deleted", async () => {
    const mail = await makeMail();
    const sent = runs.mailService.accepted.findLast(({ to }) => to === mail.address);
    expect(sent?.tags).toEqual({ kind: "alert", delivery: mail.deliveryId, key: mail.keyId });
    await service.db.delete(alerts).where(eq(alerts.id, mail.alertId));
    await post("email.complained", mail.data({ tags: sent?.tags }));
    expect(await listReasons(mail.keyId)).toEqual([{ reason: "complained" }]);
    expect(await getAlertEmail(service, mail.keyId)).toBeNull();
  });

  it("does not deadlock with the deletion of its key", async () => {
    const mail = await makeMail();
    const waiting = sql`select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    let posted = Promise.resolve();
    await service.db.transaction(async (tx) => {
      await tx.select().from(apiKeys).where(eq(apiKeys.id, mail.keyId)).for("update");
      posted = post("email.bounced", mail.data({ ...BOUNCE, tags: { ...mail.data().tags, key: mail.keyId } }));
      await expect.poll(() => service.db.execute(waiting), { timeout: 20_000 }).toHaveLength(1);
      await tx.delete(deliveries).where(eq(deliveries.id, mail.deliveryId));
      await tx.delete(apiKeys).where(eq(apiKeys.id, mail.keyId));
    });
    await posted;
    expect(await listReasons(mail.keyId)).toEqual([]);
  });

  it.each([
    ["a NUL", "no such\0 mailbox", "no such mailbox"],
    ["what looks like one", "no such \\u0000", "no such \\u0000"],
  ])("stores an email server's explanation that contains %s", async (_, message, kept) => {
    const mail = await makeMail();
    await post("email.bounced", mail.data({ bounce: { type: "Permanent", message } }));
    expect(await getDelivery(mail.alertId)).toMatchObject({ receiptDetail: `Permanent ${kept}` });
    expect(await listReasons(mail.keyId)).toEqual([{ reason: "bounced" }]);
  });

  it("ignores events of other emails, types and formats", async () => {
    const mail = await makeMail();
    const before = await service.db.select().from(deliveries);
    await post("email.bounced", { ...mail.data(BOUNCE), tags: {} as never });
    await post("email.bounced", mail.data({ tags: { delivery: "6f7b0f1e-0000-4000-8000-000000000000" } }));
    await post("email.bounced", mail.data({ tags: { delivery: "' or 1=1" } }));
    await post("email.bounced", mail.data({ email_id: 7 }));
    await post("email.bounced", { ...mail.data(BOUNCE), tags: { kind: "test", key: "no such key" } });
    await post("email.opened", mail.data());
    await post("contact.created", mail.data());
    expect(await service.db.select().from(deliveries)).toEqual(before);
  });

  it("refuses calls that the email service did not sign", async () => {
    const mail = await makeMail();
    const body = JSON.stringify({
      type: "email.complained",
      created_at: service.clock.now().toISOString(),
      data: mail.data(),
    });
    const now = Math.floor(systemClock.now().getTime() / 1000);
    const other = `whsec_${Buffer.from("another secret").toString("base64")}`;
    const right = createEventHeaders("msg_1", body);
    const attempts: [string, Record<string, string>, string][] = [
      ["unsigned", {}, body],
      ["signed with another secret", createEventHeaders("msg_1", body, other), body],
      ["signed for another body", right, body.replace("complained", "bounced")],
      ["signed for another id", { ...right, "svix-id": "msg_2" }, body],
      ["ten minutes old", createEventHeaders("msg_1", body, RESEND_WEBHOOK_SECRET, now - 600), body],
      ["of ten minutes from now", createEventHeaders("msg_1", body, RESEND_WEBHOOK_SECRET, now + 600), body],
      ["with an empty signature", { ...right, "svix-signature": "" }, body],
    ];
    for (const [how, headers, text] of attempts) {
      const request = new Request("http://growth.test/api/webhooks/resend", {
        method: "POST",
        headers,
        body: text,
      });
      const answer = await webhook.POST(request);
      expect(answer.status, how).toBe(401);
      expect(await answer.json()).toEqual({ error: "The call must be signed by the mail service" });
    }
    expect((await getDelivery(mail.alertId)).receipt).toBeNull();
  });

  it("refuses a body larger than any event, and other methods", async () => {
    const request = new Request("http://growth.test/api/webhooks/resend", {
      method: "POST",
      body: "x".repeat(64 * 1024 + 1),
    });
    expect((await webhook.POST(request)).status).toBe(413);
    expect((await webhook.GET(new Request("http://growth.test/api/webhooks/resend"))).status).toBe(405);
  });

  it("returns 404 without a signing secret", async () => {
    const mail = await makeMail();
    configureEmail({ ...email, webhookSecret: null });
    const answer = await webhook.POST(server.createEvent({ type: "email.delivered", data: mail.data() }));
    expect([answer.status, await answer.json()]).toEqual([404, { error: "Path not found", code: "path_not_found" }]);
    configureEmail(email);
  });

  it("deletes events that the email service no longer repeats", async () => {
    const mail = await makeMail();
    await post("email.delivered", mail.data());
    service.clock.advance(8 * DAY);
    await purgeExpired(service, { snapshotDays: 30, alertDays: null });
    expect(await service.db.select().from(mailEvents)).toEqual([]);
  });
});
