import { describe, expect, it } from "vitest";
import { DestinationError } from "@/core/mail/destination";
import { MINUTE } from "@/core/time";
import { useDeliveries } from "@/test/deliveries";
import { useInterruptible } from "@/test/interruptible";
import { setAlertEmail } from "./addresses.service";
import { deliver } from "./deliveries.service";
import { recordMailEvent } from "./mail-events.service";
import { createUnsubscribeToken, unsubscribe } from "./suppressions.service";

const createOutage = () => new Error("503 try later");

describe("interrupted delivery", () => {
  const { runs, getDelivery: deliveryOf, listTries: triesFor } = useDeliveries();
  const { service } = runs;
  const interrupted = useInterruptible(() => service.databaseUrl);
  /** The service of a process that the test can interrupt between statements. */
  const createSlowContext = () => ({ ...service, db: interrupted.db });

  /** One alert whose email was never tried, and one whose email was refused once. */
  async function* makeAlerts() {
    for (const refusals of [0, 1]) {
      const { key, email } = await runs.createMailedKey();
      const alertId = await runs.makeAlert(key.id);
      if (refusals) {
        runs.mailService.failures.push(new DestinationError("429"));
        await deliver(service, alertId, "email").catch(() => {});
      }
      yield { key, email, alertId, sent: () => triesFor(alertId).slice(refusals) };
    }
  }

  it("records an email as skipped or sent when an unsubscribe interrupts it, as it happened", async () => {
    const seen: unknown[] = [];
    for (let nth = 1, isReached = true; isReached; nth++) {
      isReached = false;
      for await (const { key, email, alertId, sent } of makeAlerts()) {
        const token = createUnsubscribeToken(service, key.id, email);
        const end = () => unsubscribe(service, token);
        const sends = await interrupted.interrupt({ [nth]: end }, () => deliver(createSlowContext(), alertId, "email"));
        isReached ||= sends >= nth;
        const row = await deliveryOf(alertId);
        expect(row?.status).toBe(sent().length === 0 ? "skipped" : "sent");
        seen.push(row?.status);
      }
    }
    expect(new Set(seen)).toEqual(new Set(["skipped", "sent"]));
  });

  it("emails one of two addresses and records which, when the address changes and back", async () => {
    const seen: unknown[] = [];
    for (let nth = 1, isReached = true; isReached; nth++) {
      isReached = false;
      for (let back = nth + 1; back <= nth + 3; back++)
        for await (const { key, email, alertId, sent } of makeAlerts()) {
          const acts = {
            [nth]: () => setAlertEmail(service, key.id, "successor@example.com"),
            [back]: () => setAlertEmail(service, key.id, email),
          };
          const sends = await interrupted.interrupt(acts, () => deliver(createSlowContext(), alertId, "email"));
          isReached ||= sends >= nth;
          const row = await deliveryOf(alertId);
          expect(row).toMatchObject({ status: "sent" });
          expect(sent().map((tried) => tried.sent.to)).toEqual([row?.recipient]);
          expect(sent()[0]?.sent.html).toContain(createUnsubscribeToken(service, key.id, row?.recipient ?? ""));
          seen.push(row?.recipient === email);
        }
    }
    expect(new Set(seen)).toEqual(new Set([true, false]));
  });

  it("emails a new address after a lost connection, unless the old one may have the email", async () => {
    const seen: unknown[] = [];
    for (let nth = 1, isCut = true; isCut; nth++) {
      const { key, email } = await runs.createMailedKey();
      const alertId = await runs.makeAlert(key.id);
      const fail = () => deliver(createSlowContext(), alertId, "email").catch(() => {});
      isCut = await interrupted.breakAt(nth, "is lost", fail);
      const successor = `successor-${nth}@example.com`;
      await setAlertEmail(service, key.id, successor);
      service.clock.advance(6 * MINUTE);
      await deliver(service, alertId, "email");
      expect(triesFor(alertId).map(({ sent }) => sent.to)).toHaveLength(1);
      seen.push(triesFor(alertId)[0]?.sent.to === email ? "old" : "new");
    }
    expect(new Set(seen)).toEqual(new Set(["old", "new"]));
  });

  it("records an email as sent when its delivered event interrupts, even after an unsubscribe", async () => {
    for (let nth = 1; ; nth++) {
      const { key, email } = await runs.createMailedKey();
      const alertId = await runs.makeAlert(key.id);
      runs.mailService.failures.push(createOutage());
      await deliver(service, alertId, "email").catch(() => {});
      service.clock.advance(MINUTE);
      await unsubscribe(service, createUnsubscribeToken(service, key.id, email));
      const { id = null } = (await deliveryOf(alertId)) ?? {};
      const event = { id: `event-${nth}`, at: service.clock.now(), messageId: `mail-${nth}`, deliveryId: id };
      const arrive = () =>
        recordMailEvent(service, {
          ...event,
          keyId: key.id,
          recipients: [email],
          status: "delivered",
          mustSuppress: false,
          detail: null,
        });
      const sends = await interrupted.interrupt({ [nth]: arrive }, () =>
        deliver(createSlowContext(), alertId, "email"),
      );
      if (sends < nth) break;
      expect(await deliveryOf(alertId)).toMatchObject({ status: "sent", receipt: "delivered" });
    }
  });

  it.each(["is lost", "is not answered"] as const)(
    "posts once and records it when the statement that records the post %s",
    async (fate) => {
      const { key } = await runs.createMailedKey();
      let sends = 0;
      // The first run sends each statement twice, to prepare it.
      for (let time = 0; time < 2; time++) {
        const noted = await runs.makeAlert(key.id);
        sends = await interrupted.interrupt({}, () => deliver(createSlowContext(), noted, "monitoring"));
      }
      const before = runs.channel.posts.length;

      const alertId = await runs.makeAlert(key.id);
      await interrupted.breakAt(sends, fate, () => deliver(createSlowContext(), alertId, "monitoring"));

      expect(await deliveryOf(alertId, "monitoring")).toMatchObject({ status: "sent" });
      expect(runs.channel.posts.slice(before)).toHaveLength(1);
    },
  );
});
