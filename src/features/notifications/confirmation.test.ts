import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import * as confirmRoute from "@/app/api/confirm-address/route";
import * as unsubscribeRoute from "@/app/api/unsubscribe/route";
import { createLinkSigner } from "@/core/http/signing";
import { DestinationError } from "@/core/mail/destination";
import type { Mailer } from "@/core/mail/email";
import { DAY, HOUR, MINUTE, SECOND } from "@/core/time";
import { alertEmails, alerts, deliveries, suppressions } from "@/db/schema";
import { followLink, type MailedKey, post, useAddresses } from "@/test/addresses";
import { useInterruptible } from "@/test/interruptible";
import { send } from "@/test/request";
import { clearAlertEmail, setAlertEmail } from "./addresses.service";
import { createUnsubscribeToken, suppress, unsubscribe } from "./suppressions.service";

describe("confirmation of an unsubscribed address", () => {
  const { runs, createMailedKey, createUnsubscribedKey, mailsTo, confirmToken, growAndCount, lostAnswers } =
    useAddresses();
  const { service } = runs;

  const interrupted = useInterruptible(() => service.databaseUrl);
  /** The service of a process that the test can interrupt between statements. */
  const createSlowContext = () => ({ ...service, db: interrupted.db });

  it("sends one confirmation email, even if the process was killed before or after sending", async () => {
    for (const isAccepted of [false, true]) {
      const key = await createUnsubscribedKey();
      let begin = () => {};
      const begun = new Promise<void>((resolve) => {
        begin = resolve;
      });
      const killed: Mailer = {
        name: "outbox",
        async send(mail) {
          if (isAccepted) await runs.mailService.send(mail);
          begin();
          return new Promise(() => {});
        },
      };
      void setAlertEmail({ ...service, mailer: killed }, key.id, key.email);
      await begun;
      service.clock.advance(MINUTE);
      for (let time = 0; time < 3; time++) {
        await setAlertEmail(service, key.id, key.email);
        expect(mailsTo(key.email)).toHaveLength(1);
      }
    }
  });

  const setBy = (mailer: Mailer, key: MailedKey) =>
    setAlertEmail({ ...service, mailer }, key.id, key.email).catch(({ code }) => code);

  it("sends one confirmation email wherever the database connection breaks", async () => {
    const sentBefore: number[] = [];
    for (let nth = 1, isCut = true; isCut; nth++) {
      const key = await createUnsubscribedKey();
      const set = () => setAlertEmail(createSlowContext(), key.id, key.email).catch(() => {});
      isCut = await interrupted.breakAt(nth, "is lost", set);
      sentBefore.push(mailsTo(key.email).length);
      service.clock.advance(2 * DAY);
      await setAlertEmail(service, key.id, key.email);
      expect(mailsTo(key.email)).toHaveLength(1);
    }
    expect(new Set(sentBefore)).toEqual(new Set([0, 1]));
  });

  it("asks for confirmation later when parallel tries were all refused", async () => {
    const key = await createUnsubscribedKey();
    const refusals = [1, 2, 3].map(() => new DestinationError("the quota is used up"));
    runs.mailService.failures.push(...refusals);
    const silence = runs.mailService.hang();
    const tries = refusals.map(() => setBy(runs.mailService, key).catch(({ code }) => code));
    await expect.poll(() => runs.mailService.tries.filter(({ sent }) => sent.to === key.email).length).toBe(3);
    silence();
    expect(await Promise.all(tries)).toEqual(refusals.map(() => "unavailable"));
    service.clock.advance(2 * DAY);
    await setBy(runs.mailService, key);
    expect(mailsTo(key.email)).toHaveLength(1);
  });

  it("sends one confirmation email from parallel tries of which one is refused", async () => {
    const key = await createUnsubscribedKey();
    for (let round = 0; round < 3; round++) {
      let release = () => {};
      const isOver = new Promise<void>((resolve) => {
        release = resolve;
      });
      let begin = () => {};
      const begun = new Promise<void>((resolve) => {
        begin = resolve;
      });
      const refusing: Mailer = {
        name: "outbox",
        async send() {
          begin();
          await isOver;
          throw new DestinationError("429", { retryAfter: 1 });
        },
      };
      const refused = setBy(refusing, key).catch(() => {});
      await Promise.race([begun, refused]);
      service.clock.advance(SECOND);
      await setBy(runs.mailService, key);
      release();
      await refused;
      service.clock.advance(SECOND);
    }
    expect(mailsTo(key.email)).toHaveLength(1);
  });

  it("asks for confirmation once in 30 days, and sends no alert until then", async () => {
    const key = await createUnsubscribedKey();
    const set = () => send("/api/alerts/email", { key: key.secret, method: "POST", body: { email: key.email } });
    const { status, body } = await set();
    expect(status).toBe(200);
    expect(body.message).toContain("once you confirm with the link");
    expect(mailsTo(key.email)).toHaveLength(1);
    service.clock.advance(30 * DAY);
    await set();
    expect(mailsTo(key.email)).toHaveLength(1);
    service.clock.advance(1);
    await set();
    expect(mailsTo(key.email)).toHaveLength(2);
    expect(await growAndCount(key)).toBe(0);
    const rows = await service.db
      .select({ destination: deliveries.destination })
      .from(deliveries)
      .innerJoin(alerts, eq(alerts.id, deliveries.alertId))
      .where(eq(alerts.keyId, key.id));
    expect(rows).toEqual([{ destination: "monitoring" }]);
  });

  it("sends alerts again after POST of the confirmation link, not after opening it", async () => {
    const key = await createUnsubscribedKey();
    await setAlertEmail(service, key.id, key.email.toUpperCase());
    const email = key.email.toUpperCase();
    const token = confirmToken(email);
    expect((await followLink(confirmRoute, token)).status).toBe(303);
    expect(await growAndCount({ ...key, email })).toBe(0);
    expect((await post(unsubscribeRoute, token)).status).toBe(400);
    expect((await post(confirmRoute, createUnsubscribeToken(service, key.id, email))).status).toBe(400);
    expect((await post(confirmRoute, token)).status).toBe(200);
    expect(await growAndCount({ ...key, email })).toBe(1);
  });

  it("confirms an address for one key only", async () => {
    const [one, other] = [await createMailedKey("pair@example.com"), await createMailedKey("pair@example.com")];
    for (const { id, email } of [one, other]) await unsubscribe(service, createUnsubscribeToken(service, id, email));
    await setAlertEmail(service, one.id, one.email);
    await post(confirmRoute, confirmToken(one.email));
    const left = await service.db.select().from(suppressions).where(eq(suppressions.email, "pair@example.com"));
    expect(left.map(({ keyId }) => keyId)).toEqual([other.id]);
  });

  it("sends the confirmation email at the next try after a 503", async () => {
    const key = await createUnsubscribedKey();
    runs.mailService.failures.push(new Error("down"));
    const set = () => send("/api/alerts/email", { key: key.secret, method: "POST", body: { email: key.email } });
    expect(await set()).toMatchObject({
      status: 503,
      body: { error: expect.stringContaining("Try again") },
    });
    expect((await set()).status).toBe(200);
    expect(mailsTo(key.email)).toHaveLength(1);
  });

  it("sends one confirmation email when the answer to the first was lost", async () => {
    const key = await createUnsubscribedKey();
    const set = (mailer: Mailer) => setAlertEmail({ ...service, mailer }, key.id, key.email);
    await expect(set(lostAnswers)).rejects.toMatchObject({ code: "unavailable" });
    service.clock.advance(MINUTE);
    expect(await set(runs.mailService)).toContain("once you confirm");
    expect(mailsTo(key.email)).toHaveLength(1);
  });

  describe("confirmation email with an unknown outcome", () => {
    it("sends the same confirmation email again while the email service remembers it", async () => {
      const key = await createUnsubscribedKey();
      expect(await setBy(lostAnswers, key)).toBe("unavailable");
      service.clock.advance(22 * HOUR);
      expect(await setBy(lostAnswers, key)).toBe("unavailable");
      service.clock.advance(2 * HOUR);
      expect(await setBy(runs.mailService, key)).toContain("once you confirm");
      const tried = runs.mailService.tries.filter(({ sent }) => sent.to === key.email);
      expect(tried).toHaveLength(2);
      expect(new Set(tried.map(({ sent }) => JSON.stringify(sent))).size).toBe(1);
    });

    it("sends no other confirmation email when a try in between is refused", async () => {
      const key = await createUnsubscribedKey();
      await setBy(lostAnswers, key);
      // The first try in the same millisecond.
      for (const retryAfter of [1, 2]) {
        service.clock.advance(MINUTE * (retryAfter - 1));
        runs.mailService.failures.push(new DestinationError("429", { retryAfter }));
        expect(await setBy(runs.mailService, key)).toBe("unavailable");
      }
      service.clock.advance(MINUTE);
      await setBy(runs.mailService, key);
      const tried = runs.mailService.tries.filter(({ sent }) => sent.to === key.email);
      expect(tried).toHaveLength(4);
      expect(new Set(tried.map(({ sent }) => sent.idempotencyKey)).size).toBe(1);
      expect(mailsTo(key.email)).toHaveLength(1);
    });

    it("sends no further confirmation email after a complaint about the first", async () => {
      const key = await createUnsubscribedKey();
      await setBy(lostAnswers, key);
      service.clock.advance(MINUTE);
      await suppress(service, key.id, key.email, "complained");
      await setBy(runs.mailService, key);
      expect(mailsTo(key.email)).toHaveLength(1);
    });
  });

  it("sends no second link when SESSION_SECRET changes while the first outcome is unknown", async () => {
    const key = await createUnsubscribedKey();
    const set = (secret: string, mailer: Mailer) =>
      setAlertEmail({ ...service, mailer, links: createLinkSigner(secret) }, key.id, key.email);
    const unavailable = { code: "unavailable" };
    await expect(set("one secret of at least 32 characters", lostAnswers)).rejects.toMatchObject(unavailable);
    service.clock.advance(MINUTE);
    // The email service knows the idempotency key and refuses another body.
    await expect(set("another secret of at least 32 characters", runs.mailService)).rejects.toMatchObject(unavailable);
    expect(runs.mailService.tries.filter(({ sent }) => sent.to === key.email)).toHaveLength(2);
    expect(mailsTo(key.email)).toHaveLength(1);
  });

  it("tries once in 30 days when the email service refuses permanently", async () => {
    const key = await createUnsubscribedKey();
    runs.mailService.failures.push(new DestinationError("422", { final: true }));
    const set = () => setAlertEmail(service, key.id, key.email);
    await expect(set()).rejects.toMatchObject({ code: "unavailable" });
    for (let time = 0; time < 5; time++) await set();
    expect(runs.mailService.tries.filter(({ sent }) => sent.to === key.email)).toHaveLength(1);
  });

  it("refuses a link from before a complaint, and sends another after 30 days", async () => {
    const key = await createUnsubscribedKey();
    await setAlertEmail(service, key.id, key.email);
    const token = confirmToken(key.email);
    service.clock.advance(MINUTE);
    await suppress(service, key.id, key.email.toUpperCase(), "complained");
    await suppress(service, key.id, key.email, "bounced");
    await post(confirmRoute, token);
    expect(await setAlertEmail(service, key.id, key.email)).toContain("once you confirm");
    expect(mailsTo(key.email)).toHaveLength(1);
    service.clock.advance(31 * DAY);
    await setAlertEmail(service, key.id, key.email);
    expect(mailsTo(key.email)).toHaveLength(2);
  });

  it("sends no link for 30 days after a complaint about one", async () => {
    const key = await createUnsubscribedKey();
    await suppress(service, key.id, key.email, "complained");
    service.clock.advance(31 * DAY);
    await setAlertEmail(service, key.id, key.email);
    const token = confirmToken(key.email);
    service.clock.advance(29 * DAY);
    await suppress(service, key.id, key.email, "complained");
    await post(confirmRoute, token);
    service.clock.advance(29 * DAY);
    expect(await setAlertEmail(service, key.id, key.email)).toContain("once you confirm");
    expect(mailsTo(key.email)).toHaveLength(1);
  });

  it("lets an unconfirmed address be removed or replaced by a new one", async () => {
    const key = await createUnsubscribedKey();
    expect(await setAlertEmail(service, key.id, "fresh@example.com")).toBe(
      "Alert emails will be sent to fresh@example.com",
    );
    await clearAlertEmail(service, key.id);
    expect(await service.db.select().from(alertEmails).where(eq(alertEmails.keyId, key.id))).toEqual([]);
  });
});
