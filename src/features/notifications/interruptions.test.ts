import { describe, expect, it } from "vitest";
import { DestinationError } from "@/core/mail/destination";
import { HOUR, MINUTE, SECOND } from "@/core/time";
import { useDeliveries } from "@/test/deliveries";
import { useInterruptible } from "@/test/interruptible";
import { clearAlertEmail, mailableEmail, setAlertEmail } from "./addresses.service";
import { deliver } from "./deliveries.service";
import { noteMailEvent } from "./mail-events.service";
import { unsubscribe, unsubscribeToken } from "./suppressions.service";

const down = () => new Error("503 try later");

/** More than a delivery takes. */
const STATEMENTS = 10;

describe("a delivery, whatever happens between two of its statements,", () => {
  const { runs, deliveryOf, triesFor } = useDeliveries();
  const { service } = runs;
  const interrupted = useInterruptible(() => service.databaseUrl);
  /** The service of a process between whose statements something else may come. */
  const slowly = () => ({ ...service, db: interrupted.db });

  /** Alerts of which a mail is made for the first time, and of which one was made and refused. */
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

  it("that ends its mails, at whatever instant, gets none that is not told of", async () => {
    const seen: unknown[] = [];
    for (let nth = 1; nth <= STATEMENTS; nth++)
      for await (const { key, email, alertId, sent } of makeAlerts()) {
        const token = unsubscribeToken(service, key.id, email);
        const end = () => unsubscribe(service, token);
        await interrupted.interrupt({ [nth]: end }, () => deliver(slowly(), alertId, "email"));
        const row = await deliveryOf(alertId);
        expect(row?.status).toBe(sent().length === 0 ? "skipped" : "sent");
        seen.push(row?.status);
      }
    expect(new Set(seen)).toEqual(new Set(["skipped", "sent"]));
  });

  it("that ends its mails while any answer of the database is on its way for long gets none", async () => {
    for (let nth = 1; nth <= STATEMENTS; nth++)
      for await (const { key, email, alertId, sent } of makeAlerts()) {
        let toldBefore = 0;
        const end = async () => {
          toldBefore = sent().length;
          await unsubscribe(service, unsubscribeToken(service, key.id, email));
          service.clock.advance(35 * SECOND);
        };
        await interrupted.holdAnswer(nth, end, () => deliver(slowly(), alertId, "email").catch(() => {}));
        if ((await mailableEmail(service, key.id)) === null) expect(sent()).toHaveLength(toldBefore);
      }
  });

  it("that replaces another, at whatever instant, or is replaced by it in turn: one of them gets the mail, and the delivery says which", async () => {
    const seen: unknown[] = [];
    for (let nth = 1; nth <= STATEMENTS; nth++)
      for (let back = nth + 1; back <= nth + 3; back++)
        for await (const { key, email, alertId, sent } of makeAlerts()) {
          const acts = {
            [nth]: () => setAlertEmail(service, key.id, "successor@example.com"),
            [back]: () => setAlertEmail(service, key.id, email),
          };
          await interrupted.interrupt(acts, () => deliver(slowly(), alertId, "email"));
          const row = await deliveryOf(alertId);
          expect(row).toMatchObject({ status: "sent" });
          expect(sent().map((tried) => tried.sent.to)).toEqual([row?.recipient]);
          expect(sent()[0]?.sent.html).toContain(unsubscribeToken(service, key.id, row?.recipient ?? ""));
          seen.push(row?.recipient === email);
        }
    expect(new Set(seen)).toEqual(new Set([true, false]));
  });

  it("that is replaced after the connection broke: the new one gets the mail, unless the old one may have it", async () => {
    const seen: unknown[] = [];
    // A connection that is new is sent each statement in two parts.
    for (let nth = 1; nth <= 2 * STATEMENTS; nth++) {
      const { key, email } = await runs.createMailedKey();
      const alertId = await runs.makeAlert(key.id);
      const fail = () => deliver(slowly(), alertId, "email").catch(() => {});
      await interrupted.breakAt(nth, "is lost", fail);
      const successor = `successor-${nth}@example.com`;
      await setAlertEmail(service, key.id, successor);
      service.clock.advance(6 * MINUTE);
      await deliver(service, alertId, "email");
      expect(triesFor(alertId).map(({ sent }) => sent.to)).toHaveLength(1);
      seen.push(triesFor(alertId)[0]?.sent.to === email ? "old" : "new");
    }
    expect(new Set(seen)).toEqual(new Set(["old", "new"]));
  });

  it("is mailed once though a try that had found none ends after the one that took over", async () => {
    for (let nth = 1; nth <= STATEMENTS; nth++) {
      const { key, email } = await runs.createMailedKey();
      const alertId = await runs.makeAlert(key.id);
      await clearAlertEmail(service, key.id);
      const takeOver = async () => {
        await setAlertEmail(service, key.id, email);
        service.clock.advance(6 * MINUTE);
        runs.mailService.failures.push(new DestinationError("the quota is used up"));
        await deliver(service, alertId, "email").catch(() => {});
        runs.mailService.failures.length = 0;
      };
      const sends = await interrupted.interrupt({ [nth]: takeOver }, () =>
        deliver(slowly(), alertId, "email").catch(() => {}),
      );
      if (sends < nth) return expect(nth).toBeGreaterThan(3);
      await deliver(service, alertId, "email");
      expect(runs.mailService.accepted.filter(({ to }) => to === email)).toHaveLength(1);
    }
  });

  it("that ended its mails is told of as sent once the mail service says that it got one, at whatever instant", async () => {
    for (let nth = 1; nth <= STATEMENTS; nth++) {
      const { key, email } = await runs.createMailedKey();
      const alertId = await runs.makeAlert(key.id);
      runs.mailService.failures.push(down());
      await deliver(service, alertId, "email").catch(() => {});
      service.clock.advance(MINUTE);
      await unsubscribe(service, unsubscribeToken(service, key.id, email));
      const { id = null } = (await deliveryOf(alertId)) ?? {};
      const told = { id: `told-${nth}`, at: service.clock.now(), messageId: `mail-${nth}`, deliveryId: id };
      const arrive = () =>
        noteMailEvent(service, {
          ...told,
          keyId: key.id,
          recipients: [email],
          receipt: "delivered",
          endsMails: false,
          detail: null,
        });
      const sends = await interrupted.interrupt({ [nth]: arrive }, () => deliver(slowly(), alertId, "email"));
      if (sends < nth) break;
      expect(await deliveryOf(alertId)).toMatchObject({ status: "sent", receipt: "delivered" });
    }
  });

  it("that ends its mails while the mail service is slow to take the connection gets none", async () => {
    for await (const { key, email, alertId, sent } of makeAlerts()) {
      runs.mailService.whileConnecting = async () => {
        await unsubscribe(service, unsubscribeToken(service, key.id, email));
        service.clock.advance(11 * SECOND);
      };
      await expect(deliver(service, alertId, "email")).rejects.toThrow("took too long");
      await deliver(service, alertId, "email");
      expect(sent()).toEqual([]);
      expect(await deliveryOf(alertId)).toMatchObject({ status: "skipped" });
    }
  });

  it("is not mailed by a try that was halted for longer than a try may take", async () => {
    for (let nth = 2; nth <= STATEMENTS; nth++)
      for await (const { alertId, sent } of makeAlerts()) {
        const begun = service.clock.now().getTime();
        const halt = async () => service.clock.advance(2 * MINUTE);
        await interrupted
          .interrupt({ [nth]: halt }, () => deliver(slowly(), alertId, "email"))
          .catch((error) => expect(error.message).toContain("halted"));
        for (const { at } of sent()) expect(at.getTime()).toBe(begun);
        await deliver(service, alertId, "email");
        expect(sent()).toHaveLength(1);
      }
  });

  it("is not handed over again once the mail service may have forgotten it, however long and where a try is halted", async () => {
    for (let nth = 1; nth <= STATEMENTS; nth++) {
      const { key } = await runs.createMailedKey();
      const alertId = await runs.makeAlert(key.id);
      runs.mailService.failures.push(down());
      await deliver(service, alertId, "email").catch(() => {});
      const begun = service.clock.now().getTime();
      service.clock.advance(23 * HOUR - MINUTE);
      const halt = async () => service.clock.advance(2 * HOUR);
      await interrupted.interrupt({ [nth]: halt }, () => deliver(slowly(), alertId, "email").catch(() => {}));
      await deliver(service, alertId, "email").catch(() => {});
      for (const { at } of triesFor(alertId)) expect(at.getTime() - begun).toBeLessThan(24 * HOUR);
    }
  });

  it.each(["is lost", "is not answered"] as const)(
    "is posted once and noted where what tells of the post %s",
    async (fate) => {
      const { key } = await runs.createMailedKey();
      let sends = 0;
      // The first time each statement is sent twice, to be prepared.
      for (let tell = 0; tell < 2; tell++) {
        const noted = await runs.makeAlert(key.id);
        sends = await interrupted.interrupt({}, () => deliver(slowly(), noted, "monitoring"));
      }
      const before = runs.channel.posts.length;

      const alertId = await runs.makeAlert(key.id);
      await interrupted.breakAt(sends, fate, () => deliver(slowly(), alertId, "monitoring"));

      expect(await deliveryOf(alertId, "monitoring")).toMatchObject({ status: "sent" });
      expect(runs.channel.posts.slice(before)).toHaveLength(1);
    },
  );

  it("is posted once, also where a try that was halted comes back after another has posted", async () => {
    for (let nth = 2; nth <= STATEMENTS; nth++) {
      const { key } = await runs.createMailedKey();
      const alertId = await runs.makeAlert(key.id);
      const before = runs.channel.posts.length;
      const takeOver = async () => {
        service.clock.advance(6 * MINUTE);
        await deliver(service, alertId, "monitoring");
      };
      const sends = await interrupted.interrupt({ [nth]: takeOver }, () =>
        deliver(slowly(), alertId, "monitoring").catch(() => {}),
      );
      // After the post and before that is noted, a second one cannot be helped.
      if (sends <= nth) break;
      expect(runs.channel.posts.slice(before)).toHaveLength(1);
    }
  });
});
