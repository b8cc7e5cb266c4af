import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as webhook from "@/app/api/webhooks/resend/route";
import { alerts, apiKeys, deliveries, mailEvents, suppressions } from "@/core/db/schema";
import { DAY, HOUR, systemClock } from "@/core/time";
import { alertEmail, sendTestMail, setAlertEmail } from "@/features/notifications/addresses.service";
import { deliver } from "@/features/notifications/deliveries.service";
import { unsubscribe, unsubscribeToken } from "@/features/notifications/suppressions.service";
import { purge } from "@/features/snapshots/retention.service";
import { useDailyRuns } from "@/test/daily-run";
import {
  eventHeaders,
  type MailEventOptions,
  RESEND_KEY,
  RESEND_WEBHOOK_SECRET,
  type ResendServer,
  startResendServer,
} from "@/test/resend-server";
import { createKey } from "@/test/service";
import { installContext } from "./context";

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
  const configure = (given: typeof email) =>
    installContext({ ...service, env: { ...service.env, email: given } });

  beforeAll(async () => {
    server = await startResendServer({ clock: service.clock });
    configure(email);
  });
  afterAll(() => server.stop());

  /** A mail of a new key that the mail service accepted. */
  async function makeMail(address = `scout-${keys++}@agency.test`) {
    const key = await createKey(service);
    await setAlertEmail(service, key.id, address);
    const alertId = await runs.makeAlert(key.id);
    await deliver(service, alertId, "email");
    const { id: deliveryId } = await delivery(alertId);
    const data = (more: object = {}) => ({
      email_id: `re_${alertId}`,
      to: [address],
      tags: { kind: "alert", delivery: deliveryId },
      ...more,
    });
    return { keyId: key.id, address, alertId, deliveryId, data };
  }

  async function delivery(alertId: string) {
    const rows = await service.db.select().from(deliveries).where(eq(deliveries.alertId, alertId));
    const found = rows.find(({ destination }) => destination === "email");
    if (!found) throw new Error("there is no mail of this alert");
    return found;
  }

  async function send(type: string, data: MailEventOptions["data"], id?: string) {
    const answer = await webhook.POST(server.event({ type, data, id }));
    expect([answer.status, await answer.json()]).toEqual([200, { status: "ok" }]);
  }

  const reasons = (keyId: string) =>
    service.db
      .select({ reason: suppressions.reason })
      .from(suppressions)
      .where(eq(suppressions.keyId, keyId));

  const BOUNCE = { bounce: { type: "Permanent", subType: "General", message: "no such mailbox" } };

  it("stores the event of a mail, with its id, time and words", async () => {
    const mail = await makeMail();
    await send("email.delivered", mail.data());
    expect(await delivery(mail.alertId)).toMatchObject({
      status: "sent",
      messageId: `re_${mail.alertId}`,
      receipt: "delivered",
      receiptAt: service.clock.now(),
      receiptDetail: null,
    });
    await send("email.bounced", mail.data(BOUNCE));
    expect(await delivery(mail.alertId)).toMatchObject({
      receipt: "bounced",
      receiptDetail: "Permanent General no such mailbox",
    });
  });

  it.each([
    ["bounced for good", "email.bounced", BOUNCE, "bounced"],
    ["complained", "email.complained", {}, "complained"],
    ["is kept from mails by the mail service", "email.suppressed", { suppressed: { type: "x" } }, "bounced"],
  ])("ends the mails of a key to an address that %s, until it confirms", async (_, type, more, reason) => {
    const mail = await makeMail();
    const other = await createKey(service);
    await setAlertEmail(service, other.id, mail.address);
    await send(type, mail.data(more));
    expect(await reasons(mail.keyId)).toEqual([{ reason }]);
    expect(await alertEmail(service, mail.keyId)).toBeNull();
    const again = await setAlertEmail(service, mail.keyId, mail.address);
    expect(again).toContain("once it confirms by the link");
    expect(await alertEmail(service, other.id)).toBe(mail.address);
    expect(await reasons(other.id)).toEqual([]);
  });

  it.each([
    ["test", "email.bounced", BOUNCE, "bounced"],
    ["test", "email.complained", {}, "complained"],
    ["test", "email.delivered", {}, null],
    ["confirmation", "email.bounced", BOUNCE, "unsubscribed"],
    ["confirmation", "email.complained", {}, "complained"],
  ])("hears of a %s mail that it came to %s %j: %s", async (kind, type, more, reason) => {
    const address = `scout-${keys++}@agency.test`;
    const key = await createKey(service);
    await setAlertEmail(service, key.id, address);
    if (kind === "test") await sendTestMail(service, key.id);
    else {
      await unsubscribe(service, unsubscribeToken(service, key.id, address));
      await setAlertEmail(service, key.id, address);
    }
    const sent = runs.mailService.accepted.findLast(({ to }) => to === address);
    expect(sent?.tags).toEqual({ kind, key: key.id });
    const data = { email_id: "re_1", to: [address], tags: sent?.tags ?? {}, ...more };
    await send(type, data);
    expect(await reasons(key.id)).toEqual(reason === null ? [] : [{ reason }]);
    expect(await alertEmail(service, key.id)).toBe(reason === null ? address : null);
  });

  it.each([
    ["email.bounced", { bounce: { type: "Transient", subType: "MailboxFull", message: "full" } }],
    ["email.bounced", {}],
    ["email.delivery_delayed", {}],
    ["email.failed", { failed: { reason: "no_recipient" } }],
    ["email.delivered", {}],
  ])("leaves the address as it is after %s %j", async (type, more) => {
    const mail = await makeMail();
    await send(type, mail.data(more));
    expect((await delivery(mail.alertId)).receipt).not.toBeNull();
    expect(await alertEmail(service, mail.keyId)).toBe(mail.address);
    expect(await reasons(mail.keyId)).toEqual([]);
  });

  it("reads tags as a list, the other form in Resend's documentation", async () => {
    const mail = await makeMail();
    const tags = Object.entries(mail.data().tags).map(([name, value]) => ({ name, value }));
    await send("email.complained", mail.data({ tags }));
    expect(await delivery(mail.alertId)).toMatchObject({ receipt: "complained" });
    expect(await reasons(mail.keyId)).toEqual([{ reason: "complained" }]);
  });

  it("leaves an address alone that replaced the one that bounced", async () => {
    const mail = await makeMail();
    await setAlertEmail(service, mail.keyId, "successor@agency.test");
    await send("email.bounced", mail.data(BOUNCE));
    expect(await alertEmail(service, mail.keyId)).toBe("successor@agency.test");
    expect(await setAlertEmail(service, mail.keyId, mail.address)).toContain("once it confirms");
  });

  it("ends in the same state in any order of events, and with repeated ones", async () => {
    const types = ["email.delivery_delayed", "email.delivered", "email.bounced", "email.complained"];
    const orders = [types, [...types].reverse(), [types[2], types[0], types[3], types[1]].map(String)];
    for (const order of orders) {
      const mail = await makeMail();
      for (const type of order)
        for (const _ of [1, 2]) await send(type, mail.data(BOUNCE), `msg_${mail.alertId}_${type}`);
      expect(await delivery(mail.alertId)).toMatchObject({ receipt: "complained" });
      expect(await reasons(mail.keyId)).toHaveLength(1);
    }
  });

  it("counts an event once: sent again after the address confirmed, it changes nothing", async () => {
    const mail = await makeMail();
    await send("email.bounced", mail.data(BOUNCE), `msg_${mail.alertId}`);
    await service.db.delete(suppressions).where(eq(suppressions.keyId, mail.keyId));
    await setAlertEmail(service, mail.keyId, mail.address);
    service.clock.advance(HOUR);
    await send("email.bounced", mail.data(BOUNCE), `msg_${mail.alertId}`);
    expect(await alertEmail(service, mail.keyId)).toBe(mail.address);
    expect(await reasons(mail.keyId)).toEqual([]);
  });

  it("counts an event once that comes in five requests at a time", async () => {
    const mail = await makeMail();
    const event = { type: "email.complained", data: mail.data(), id: `msg_${mail.alertId}` };
    const answers = await Promise.all(Array.from({ length: 5 }, () => webhook.POST(server.event(event))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await service.db.select().from(mailEvents).where(eq(mailEvents.id, event.id))).toHaveLength(1);
  });

  it.each(["sending", "pending", "unknown", "failed"] as const)(
    "knows by the mail's tags a delivery that is still %s here, and that there is a mail of it",
    async (status) => {
      const mail = await makeMail();
      await service.db
        .update(deliveries)
        .set({ status, messageId: null, finishedAt: null, problem: "no answer" })
        .where(eq(deliveries.id, mail.deliveryId));
      await send("email.delivered", mail.data());
      expect(await delivery(mail.alertId)).toMatchObject({
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
    await send("email.complained", mail.data({ tags: sent?.tags }));
    expect(await reasons(mail.keyId)).toEqual([{ reason: "complained" }]);
    expect(await alertEmail(service, mail.keyId)).toBeNull();
  });

  it("accepts several addresses at once in any order, and one that is too long", async () => {
    const { id } = await createKey(service);
    const to = Array.from({ length: 40 }, (_, at) => `of-${at}@agency.test`);
    const long = `${"x".repeat(20_000)}@agency.test`;
    const event = { email_id: "re_several", tags: { kind: "test", key: id }, ...BOUNCE };
    const orders = Array.from({ length: 12 }, (_, at) => (at % 2 ? to : to.toReversed()));
    await Promise.all(orders.map((order) => send("email.bounced", { ...event, to: [...order, long] })));
    expect(await reasons(id)).toHaveLength(40);
  });

  it("waits for a deletion of the key, without a deadlock", async () => {
    const mail = await makeMail();
    const waiting = sql`select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    let sending = Promise.resolve();
    await service.db.transaction(async (tx) => {
      await tx.select().from(apiKeys).where(eq(apiKeys.id, mail.keyId)).for("update");
      sending = send(
        "email.bounced",
        mail.data({ ...BOUNCE, tags: { ...mail.data().tags, key: mail.keyId } }),
      );
      await expect.poll(() => service.db.execute(waiting), { timeout: 20_000 }).toHaveLength(1);
      await tx.delete(deliveries).where(eq(deliveries.id, mail.deliveryId));
      await tx.delete(apiKeys).where(eq(apiKeys.id, mail.keyId));
    });
    await sending;
    expect(await reasons(mail.keyId)).toEqual([]);
  });

  it("recognizes an address in every form of a recipient", async () => {
    const { id } = await createKey(service);
    const to = ["Scout <Named@agency.test>", "<bare@agency.test>", " spaced@agency.test\n"];
    await send("email.bounced", { email_id: "re_named", tags: { kind: "test", key: id }, ...BOUNCE, to });
    const odd = [["listed@agency.test", 7, null] as never, "alone@agency.test" as never];
    for (const [at, to] of odd.entries())
      await send("email.bounced", {
        email_id: `re_odd_${at}`,
        tags:
          at === 0
            ? { kind: 1 as never, key: id }
            : ([null, { name: "kind" }, { name: "key", value: id }] as never),
        ...BOUNCE,
        to,
      });
    for (const name of ["named", "bare", "spaced", "listed", "alone"])
      expect(await setAlertEmail(service, id, `${name}@agency.test`)).toContain("once it confirms");
  });

  it.each([
    ["a NUL", "no such\0 mailbox", "no such mailbox"],
    ["what looks like one", "no such \\u0000", "no such \\u0000"],
  ])("keeps the words of a stranger's server that hold %s", async (_, message, kept) => {
    const mail = await makeMail();
    await send("email.bounced", mail.data({ bounce: { type: "Permanent", message } }));
    expect(await delivery(mail.alertId)).toMatchObject({ receiptDetail: `Permanent ${kept}` });
    expect(await reasons(mail.keyId)).toEqual([{ reason: "bounced" }]);
  });

  it.each(["__proto__", "constructor", "toString"])(
    "takes an event of the kind %s for read",
    async (type) => {
      const mail = await makeMail();
      await send(type, mail.data(BOUNCE));
      expect((await delivery(mail.alertId)).receipt).toBeNull();
    },
  );

  it("accepts and ignores events of other mails, kinds and forms", async () => {
    const mail = await makeMail();
    const before = await service.db.select().from(deliveries);
    await send("email.bounced", { ...mail.data(BOUNCE), tags: {} as never });
    await send("email.bounced", mail.data({ tags: { delivery: "6f7b0f1e-0000-4000-8000-000000000000" } }));
    await send("email.bounced", mail.data({ tags: { delivery: "' or 1=1" } }));
    await send("email.bounced", mail.data({ email_id: 7 }));
    await send("email.bounced", { ...mail.data(BOUNCE), tags: { kind: "test", key: "no such key" } });
    await send("email.opened", mail.data());
    await send("contact.created", mail.data());
    for (const createdAt of ["0000-01-01T00:00:00Z", "0013-05-01T00:00:00Z", "9999-12-31T23:59:59-14:00"]) {
      const event = server.event({ type: "email.bounced", data: mail.data(BOUNCE), createdAt });
      expect((await webhook.POST(event)).status).toBe(200);
    }
    expect(await service.db.select().from(deliveries)).toEqual(before);
  });

  it("refuses a call without a valid signature", async () => {
    const mail = await makeMail();
    const body = JSON.stringify({
      type: "email.complained",
      created_at: service.clock.now().toISOString(),
      data: mail.data(),
    });
    const now = Math.floor(systemClock.now().getTime() / 1000);
    const other = `whsec_${Buffer.from("another secret").toString("base64")}`;
    const right = eventHeaders("msg_1", body);
    const attempts: [string, Record<string, string>, string][] = [
      ["unsigned", {}, body],
      ["signed with another secret", eventHeaders("msg_1", body, other), body],
      ["signed for another body", right, body.replace("complained", "bounced")],
      ["signed for another id", { ...right, "svix-id": "msg_2" }, body],
      ["ten minutes old", eventHeaders("msg_1", body, RESEND_WEBHOOK_SECRET, now - 600), body],
      ["of ten minutes from now", eventHeaders("msg_1", body, RESEND_WEBHOOK_SECRET, now + 600), body],
      ["for an id that is too long", eventHeaders("m".repeat(8000), body), body],
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
    expect((await delivery(mail.alertId)).receipt).toBeNull();
  });

  it("refuses a body larger than any event, and any other method", async () => {
    const request = new Request("http://growth.test/api/webhooks/resend", {
      method: "POST",
      body: "x".repeat(64 * 1024 + 1),
    });
    expect((await webhook.POST(request)).status).toBe(413);
    expect((await webhook.GET(new Request("http://growth.test/api/webhooks/resend"))).status).toBe(405);
  });

  it("does not exist without a secret", async () => {
    const mail = await makeMail();
    configure({ ...email, webhookSecret: null });
    const answer = await webhook.POST(server.event({ type: "email.delivered", data: mail.data() }));
    expect([answer.status, await answer.json()]).toEqual([404, { error: "There is no such path" }]);
    configure(email);
  });

  it("forgets events that the mail service no longer repeats", async () => {
    const mail = await makeMail();
    await send("email.delivered", mail.data());
    service.clock.advance(8 * DAY);
    await purge(service, { snapshotDays: 30, alertDays: null });
    expect(await service.db.select().from(mailEvents)).toEqual([]);
  });
});
