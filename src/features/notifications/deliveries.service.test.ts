import { eq } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { DestinationError } from "@/core/mail/destination";
import { HOUR, MINUTE, SECOND, toDate } from "@/core/time";
import { alerts, channels } from "@/db/schema";
import { revokeKey } from "@/features/keys/service";
import { useDeliveries } from "@/test/deliveries";
import { createFakeMailService } from "@/test/destinations";
import { createKey, type TestKey } from "@/test/service";
import { clearAlertEmail, setAlertEmail } from "./addresses.service";
import { deliver } from "./deliveries.service";
import { createUnsubscribeToken, unsubscribe } from "./suppressions.service";

const createOutage = () => new Error("503 try later");

const WAIT = { interval: 5, timeout: 20_000 };

describe("deliveries", () => {
  const { runs, getDelivery: deliveryOf, setDelivery, listTries: triesFor, deliverAll, sweep } = useDeliveries();
  const { service } = runs;

  describe("email delivery", () => {
    it("retries an email with the same bytes after each failure until it is accepted once", async () => {
      const { key, email } = await runs.createMailedKey();
      const alertId = await runs.makeAlert(key.id);
      runs.mailService.failures.push(createOutage(), createOutage(), createOutage());
      const start = service.clock.now().getTime();
      await deliverAll();
      const tries = triesFor(alertId);
      expect(tries.map(({ at }) => (at.getTime() - start) / SECOND)).toEqual([0, 15, 45, 105]);
      expect(new Set(tries.map(({ sent }) => JSON.stringify(sent))).size).toBe(1);
      expect(runs.mailService.accepted.filter(({ to }) => to === email)).toHaveLength(1);
      expect(await deliveryOf(alertId)).toMatchObject({ status: "sent", attempts: 4, problem: null });
    });

    it("waits for the sweep after nine failures, and closes an email as unknown after 23 hours", async () => {
      const { key, email } = await runs.createMailedKey();
      const alertId = await runs.makeAlert(key.id);
      runs.mailService.failures.push(...Array.from({ length: 9 }, createOutage));
      await deliverAll();
      expect(triesFor(alertId)).toHaveLength(9);
      expect(await deliveryOf(alertId)).toMatchObject({ status: "pending", problem: "503 try later" });
      expect(await deliveryOf(alertId, "monitoring")).toMatchObject({ status: "sent" });
      runs.mailService.failures.push(...Array.from({ length: 9 }, createOutage));
      service.clock.advance(2 * HOUR);
      await sweep();
      expect(triesFor(alertId)).toHaveLength(18);
      service.clock.advance(23 * HOUR);
      await sweep();
      expect(await deliveryOf(alertId)).toMatchObject({ status: "unknown", problem: "503 try later" });
      expect(await service.db.select().from(alerts).where(eq(alerts.id, alertId))).toHaveLength(1);
      expect(runs.mailService.accepted.filter(({ to }) => to === email)).toEqual([]);
    });

    it("sends an email when the email service recovers after two hours", async () => {
      const { key, email } = await runs.createMailedKey();
      await runs.makeAlert(key.id);
      runs.mailService.failures.push(...Array.from({ length: 9 }, createOutage));
      await deliverAll();
      service.clock.advance(HOUR);
      await sweep();
      expect(runs.mailService.accepted.filter(({ to }) => to === email)).toHaveLength(1);
    });

    it("renders an email once, even if the creator's name or APP_URL changes meanwhile", async () => {
      const { key } = await runs.createMailedKey();
      const alertId = await runs.makeAlert(key.id, 1000, 1125, { name: "Old Name" });
      runs.mailService.failures.push(createOutage());
      await expect(deliver(service, alertId, "email")).rejects.toThrow("503");
      await service.db.update(channels).set({ name: "New Name" });
      await deliver({ ...service, appUrl: "https://elsewhere.test" }, alertId, "email");
      const [first, second] = triesFor(alertId);
      expect(second?.sent).toEqual(first?.sent);
      expect(second?.sent.subject).toBe("WATCH: Old Name grew 12.5% in one day");
      expect((await deliveryOf(alertId))?.mail?.html).toBe(first?.sent.html);
    });

    it("adds the headers for one-click unsubscribe", async () => {
      const { key, email } = await runs.createMailedKey();
      const alertId = await runs.makeAlert(key.id);
      await deliverAll();
      const token = createUnsubscribeToken(service, key.id, email);
      expect(triesFor(alertId)[0]?.sent.headers).toEqual({
        "List-Unsubscribe": `<http://growth.test/api/unsubscribe?token=${token}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      });
    });

    it("keeps an email sent when an earlier try, past its lease, fails later", async () => {
      const { key } = await runs.createMailedKey();
      const alertId = await runs.makeAlert(key.id);
      const release = runs.mailService.hang();
      const overdue = deliver(service, alertId, "email");
      await vi.waitFor(() => expect(triesFor(alertId)).toHaveLength(1), WAIT);
      service.clock.advance(6 * MINUTE);
      await deliver({ ...service, mailer: createFakeMailService(service.clock) }, alertId, "email");
      runs.mailService.failures.push(createOutage());
      release();
      await expect(overdue).rejects.toThrow("503");
      expect(await deliveryOf(alertId)).toMatchObject({ status: "sent", attempts: 2 });
    });

    it.each([
      ["23 hours", "sent", 23 * HOUR, 1],
      ["more than 23 hours", "closed as unknown", 23 * HOUR + 1, 0],
    ])("resolves an email whose outcome is unknown for %s: %s", async (_, outcome, unknownFor, tries) => {
      const { key } = await runs.createMailedKey();
      const alertId = await runs.makeAlert(key.id);
      const begun = toDate(service.clock.now().getTime() - unknownFor);
      await setDelivery(alertId, { status: "sending", outcomeUnknownSince: begun, triedAt: begun });
      await deliver(service, alertId, "email");
      service.clock.advance(2 * HOUR);
      await sweep();
      expect(await deliveryOf(alertId)).toMatchObject({ status: outcome.replace("closed as ", "") });
      expect(triesFor(alertId)).toHaveLength(tries);
    });
  });

  describe("recipient of an email", () => {
    it.each<[string, (key: TestKey, email: string) => Promise<unknown>]>([
      ["was removed", (key) => clearAlertEmail(service, key.id)],
      ["unsubscribed", (key, email) => unsubscribe(service, createUnsubscribeToken(service, key.id, email))],
      ["lost the key", (key) => revokeKey(service, key.id)],
    ])("sends no email about an alert to an address that %s after it", async (_, act) => {
      const { key, email } = await runs.createMailedKey();
      const alertId = await runs.makeAlert(key.id);
      await act(key, email);
      const before = runs.mailService.tries.length;
      await deliverAll();
      expect(runs.mailService.tries.slice(before)).toEqual([]);
      expect(await deliveryOf(alertId)).toMatchObject({
        status: "skipped",
        problem: "the key has no address to mail",
      });
      expect(await deliveryOf(alertId, "monitoring")).toMatchObject({ status: "sent" });
    });

    it("records an email as unknown when its recipient unsubscribes during an unknown outcome", async () => {
      const { key, email } = await runs.createMailedKey();
      const alertId = await runs.makeAlert(key.id);
      runs.mailService.failures.push(createOutage());
      await expect(deliver(service, alertId, "email")).rejects.toThrow("503");
      service.clock.advance(MINUTE);
      await unsubscribe(service, createUnsubscribeToken(service, key.id, email));
      await deliver(service, alertId, "email");
      expect(triesFor(alertId)).toHaveLength(1);
      expect(await deliveryOf(alertId)).toMatchObject({
        status: "unknown",
        problem: "outcome unknown, and this address gets no more such mails",
      });
    });

    it("sends no email if the key had no address when the alert was created", async () => {
      const key = await createKey(service);
      const alertId = await runs.makeAlert(key.id);
      await setAlertEmail(service, key.id, "too-late@example.com");
      await deliverAll();
      expect(await deliveryOf(alertId)).toBeUndefined();
      expect(runs.mailService.tries.filter(({ sent }) => sent.to === "too-late@example.com")).toEqual([]);
    });

    it("sends to the key's current address until an email may have been accepted", async () => {
      const { key } = await runs.createMailedKey();
      const alertId = await runs.makeAlert(key.id);
      await setAlertEmail(service, key.id, "second@example.com");
      runs.mailService.failures.push(new DestinationError("429 too many"), createOutage());
      await expect(deliver(service, alertId, "email")).rejects.toThrow("429");
      await setAlertEmail(service, key.id, "third@example.com");
      service.clock.advance(MINUTE);
      await expect(deliver(service, alertId, "email")).rejects.toThrow("503");
      await setAlertEmail(service, key.id, "fourth@example.com");
      service.clock.advance(MINUTE);
      await deliver(service, alertId, "email");
      expect(triesFor(alertId).map(({ sent }) => sent.to)).toEqual(["second@example.com", "third@example.com"]);
      expect(await deliveryOf(alertId)).toMatchObject({ status: "unknown" });
    });
  });

  it("posts severity, color, link, key and message to monitoring", async () => {
    const key = await createKey(service);
    await runs.makeAlert(key.id, 1000, 1300, { name: "Pixel Foundry" });
    await deliverAll();
    expect(runs.channel.posts.at(-1)).toEqual({
      message: "Pixel Foundry grew 30.0% in one day (1,000 → 1,300)",
      severity: "SURGING",
      color: "#ff6b35",
      channelUrl: expect.stringMatching(/^https:\/\/www\.youtube\.com\/channel\/UCtest\d{18}$/),
      keyLabel: "Test",
      outlook:
        "Too early. Only 1 day of snapshots before this jump. 77% of such jumps kept growing (at least half as much again in 7 days).",
      cause: "No new video stands out. It may come from elsewhere or from an older video.",
    });
  });
});
