import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import * as confirmRoute from "@/app/api/confirm-address/route";
import * as unsubscribeRoute from "@/app/api/unsubscribe/route";
import { alertEmails, alerts, deliveries, suppressions } from "@/core/db/schema";
import { DestinationError } from "@/core/destination";
import type { Mail, Mailer } from "@/core/email";
import { createLinkSigner } from "@/core/signing";
import { DAY, HOUR, MINUTE } from "@/core/time";
import { revokeKey } from "@/features/keys/service";
import { suppress, unsubscribe, unsubscribeToken } from "@/features/suppressions/service";
import { useDailyRuns } from "@/test/daily-run";
import { send } from "@/test/request";
import { createKey, type TestKey } from "@/test/service";
import { addressState, alertEmail, clearAlertEmail, sendTestMail, setAlertEmail } from "./service";

describe("the alert address", () => {
  const runs = useDailyRuns();
  const { service } = runs;
  let keys = 0;

  async function createMailedKey(
    email = `scout-${keys++}@example.com`,
  ): Promise<TestKey & { email: string }> {
    const key = await createKey(service);
    await setAlertEmail(service, key.id, email);
    return { ...key, email };
  }

  type Route = typeof unsubscribeRoute;

  const link = (path: string, token: string) =>
    `http://growth.test${path}?token=${encodeURIComponent(token)}`;
  const follow = (route: Route, token: string) => route.GET(new Request(link("/api/link", token)));
  const post = (route: Route, token: string, init: RequestInit = {}) =>
    route.POST(new Request(link("/api/link", token), { method: "POST", ...init }));

  const mailsTo = (email: string) => runs.mailService.accepted.filter(({ to }) => to === email);

  /** The token of the link in the latest confirmation mail. */
  function confirmToken(email: string): string {
    const [, token = ""] = /\/confirm-address\?token=(\S+)/.exec(mailsTo(email).at(-1)?.text ?? "") ?? [];
    return token;
  }

  /** Has the key's creator grow, and all that follows. @returns the mails this sent to the address */
  async function growAndCount(key: TestKey & { email: string }): Promise<number> {
    const before = mailsTo(key.email).length;
    await runs.makeAlert(key.id);
    await service.catchUp();
    await service.drain();
    return mailsTo(key.email).length - before;
  }

  describe("unsubscribing", () => {
    it("by POST clears the key's address and ends its mails", async () => {
      const key = await createMailedKey();
      const answer = await post(unsubscribeRoute, unsubscribeToken(service, key.id, key.email));
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ status: "ok" });
      expect(await alertEmail(service, key.id)).toBeNull();
      const { body } = await send("/api/alerts/email", { key: key.secret });
      expect(body).toEqual({ status: "ok", email: null });
      expect(await growAndCount(key)).toBe(0);
    });

    it("works with the form that mail programs post, from the very link of the mail, any number of times", async () => {
      const key = await createMailedKey();
      expect(await growAndCount(key)).toBe(1);
      const header = mailsTo(key.email)[0]?.headers["List-Unsubscribe"] ?? "";
      expect(header).toMatch(/^<http:\/\/growth\.test\/api\/unsubscribe\?token=[\w.-]+>$/);
      for (const _ of [1, 2]) {
        const request = new Request(header.slice(1, -1), {
          method: "POST",
          body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
        });
        expect((await unsubscribeRoute.POST(request)).status).toBe(200);
        expect(await alertEmail(service, key.id)).toBeNull();
      }
    });

    it("by GET changes nothing and leads to the page with the button", async () => {
      const key = await createMailedKey();
      const token = unsubscribeToken(service, key.id, key.email);
      const answer = await follow(unsubscribeRoute, token);
      expect(answer.status).toBe(303);
      expect(answer.headers.get("location")).toBe(`/unsubscribe?token=${token}`);
      expect(answer.headers.get("cache-control")).toBe("private, no-store");
      expect(await alertEmail(service, key.id)).toBe(key.email);
      expect(await growAndCount(key)).toBe(1);
    });

    it("by a browser's form leads back to the page, which says whether it is done", async () => {
      const key = await createMailedKey();
      const headers = { "sec-fetch-mode": "navigate" };
      const token = unsubscribeToken(service, key.id, key.email);
      const refused = await post(unsubscribeRoute, "forged", { headers });
      expect(refused.headers.get("location")).toBe("/unsubscribe?token=forged");
      const done = await post(unsubscribeRoute, token, { headers });
      expect([done.status, done.headers.get("location")]).toEqual([303, "/unsubscribe?done=yes"]);
    });

    it("is refused for any token that is not ours for this purpose", async () => {
      const key = await createMailedKey();
      const payload = [key.id, key.email];
      const token = service.links.sign("unsubscribe", payload);
      const [body = "", signature = ""] = token.split(".");
      const other = Buffer.from(JSON.stringify([key.id, "victim@example.com"])).toString("base64url");
      for (const wrong of [
        "",
        "nonsense",
        body,
        `${body}.`,
        `.${signature}`,
        `${other}.${signature}`,
        `${token}.${signature}`,
        `${body}.${signature.slice(1)}`,
        createLinkSigner("x".repeat(32)).sign("unsubscribe", payload),
        service.links.sign("confirm-address", payload),
      ]) {
        const answer = await post(unsubscribeRoute, wrong);
        expect(answer.status, wrong).toBe(400);
        expect(await answer.json()).toEqual({ error: "The link is not valid" });
      }
      expect(await alertEmail(service, key.id)).toBe(key.email);
    });

    it("from one key leaves other keys with the same address as they are", async () => {
      const one = await createMailedKey("shared@example.com");
      const other = await createMailedKey("shared@example.com");
      await post(unsubscribeRoute, unsubscribeToken(service, one.id, one.email));
      expect(await alertEmail(service, one.id)).toBeNull();
      expect(await alertEmail(service, other.id)).toBe("shared@example.com");
      expect(await growAndCount(one)).toBe(0);
      expect(await growAndCount(other)).toBe(1);
    });

    it("by the link of an earlier address leaves the present one", async () => {
      const key = await createMailedKey();
      await setAlertEmail(service, key.id, "present@example.com");
      await post(unsubscribeRoute, unsubscribeToken(service, key.id, key.email));
      expect(await alertEmail(service, key.id)).toBe("present@example.com");
      expect(await growAndCount({ ...key, email: "present@example.com" })).toBe(1);
    });

    it("counts for the address in any case", async () => {
      const key = await createMailedKey("Mixed.Case@Example.com");
      const token = unsubscribeToken(service, key.id, "MIXED.case@example.com");
      expect(token).toBe(unsubscribeToken(service, key.id, key.email));
      await setAlertEmail(service, key.id, "mixed.CASE@example.com");
      await post(unsubscribeRoute, token);
      expect(await alertEmail(service, key.id)).toBeNull();
      const again = await setAlertEmail(service, key.id, "MIXED.CASE@EXAMPLE.COM");
      expect(again).toContain("once it confirms");
      expect(await growAndCount({ ...key, email: "MIXED.CASE@EXAMPLE.COM" })).toBe(0);
    });
  });

  describe("set again after unsubscribing", () => {
    async function createUnsubscribedKey() {
      const key = await createMailedKey();
      await unsubscribe(service, unsubscribeToken(service, key.id, key.email));
      return key;
    }

    it("is asked to confirm, once in 30 days, and gets no alert until it does", async () => {
      const key = await createUnsubscribedKey();
      const set = () =>
        send("/api/alerts/email", { key: key.secret, method: "POST", body: { email: key.email } });
      const { status, body } = await set();
      expect(status).toBe(200);
      expect(body.message).toContain("once it confirms by the link");
      expect(mailsTo(key.email)).toHaveLength(1);
      service.clock.advance(30 * DAY);
      await set();
      expect(mailsTo(key.email)).toHaveLength(1);
      service.clock.advance(1);
      await set();
      expect(mailsTo(key.email)).toHaveLength(2);
      expect(await growAndCount(key)).toBe(0);
      const told = await service.db
        .select({ destination: deliveries.destination })
        .from(deliveries)
        .innerJoin(alerts, eq(alerts.id, deliveries.alertId))
        .where(eq(alerts.keyId, key.id));
      expect(told).toEqual([{ destination: "monitoring" }]);
    });

    it("is mailed again once it confirmed by POST of the link, not by opening it", async () => {
      const key = await createUnsubscribedKey();
      await setAlertEmail(service, key.id, key.email.toUpperCase());
      const email = key.email.toUpperCase();
      const token = confirmToken(email);
      expect((await follow(confirmRoute, token)).status).toBe(303);
      expect(await growAndCount({ ...key, email })).toBe(0);
      expect((await post(unsubscribeRoute, token)).status).toBe(400);
      expect((await post(confirmRoute, unsubscribeToken(service, key.id, email))).status).toBe(400);
      expect((await post(confirmRoute, token)).status).toBe(200);
      expect(await growAndCount({ ...key, email })).toBe(1);
    });

    it("confirms for this key alone", async () => {
      const [one, other] = [
        await createMailedKey("pair@example.com"),
        await createMailedKey("pair@example.com"),
      ];
      for (const { id, email } of [one, other])
        await unsubscribe(service, unsubscribeToken(service, id, email));
      await setAlertEmail(service, one.id, one.email);
      await post(confirmRoute, confirmToken(one.email));
      const left = await service.db
        .select()
        .from(suppressions)
        .where(eq(suppressions.email, "pair@example.com"));
      expect(left.map(({ keyId }) => keyId)).toEqual([other.id]);
    });

    it("answers 503 when the confirmation cannot be mailed, and mails it at the next try", async () => {
      const key = await createUnsubscribedKey();
      runs.mailService.failures.push(new Error("down"));
      const set = () =>
        send("/api/alerts/email", { key: key.secret, method: "POST", body: { email: key.email } });
      expect(await set()).toMatchObject({
        status: 503,
        body: { error: expect.stringContaining("try again") },
      });
      expect((await set()).status).toBe(200);
      expect(mailsTo(key.email)).toHaveLength(1);
    });

    it("is asked once where it was not known whether the link had left", async () => {
      const key = await createUnsubscribedKey();
      const { send: sendMail } = runs.mailService;
      const cutOff = {
        name: "outbox" as const,
        send: async (mail: Mail) => {
          await sendMail(mail);
          throw new DestinationError("no answer", { inDoubt: true });
        },
      };
      const set = (mailer: Mailer) => setAlertEmail({ ...service, mailer }, key.id, key.email);
      await expect(set(cutOff)).rejects.toMatchObject({ code: "unavailable" });
      service.clock.advance(MINUTE);
      expect(await set(runs.mailService)).toContain("once it confirms");
      expect(mailsTo(key.email)).toHaveLength(1);
    });

    describe("where it was not known whether the link had left", () => {
      const lost: Mailer = {
        name: "outbox",
        send: async (mail) => {
          await runs.mailService.send(mail);
          throw new DestinationError("no answer", { inDoubt: true });
        },
      };
      const setBy = (mailer: Mailer, key: TestKey & { email: string }) =>
        setAlertEmail({ ...service, mailer }, key.id, key.email).catch(({ code }) => code);

      it("is sent the very same mail again, for as long as the mail service knows it", async () => {
        const key = await createUnsubscribedKey();
        expect(await setBy(lost, key)).toBe("unavailable");
        service.clock.advance(22 * HOUR);
        expect(await setBy(lost, key)).toBe("unavailable");
        service.clock.advance(2 * HOUR);
        expect(await setBy(runs.mailService, key)).toContain("once it confirms");
        const tried = runs.mailService.tries.filter(({ sent }) => sent.to === key.email);
        expect(tried).toHaveLength(2);
        expect(new Set(tried.map(({ sent }) => JSON.stringify(sent))).size).toBe(1);
      });

      it("is sent no other mail where a try in between is refused", async () => {
        const key = await createUnsubscribedKey();
        await setBy(lost, key);
        // The first in the same millisecond.
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

      it("is left in peace once it has complained about that mail", async () => {
        const key = await createUnsubscribedKey();
        await setBy(lost, key);
        service.clock.advance(MINUTE);
        await suppress(service, key.id, key.email, "complained");
        await setBy(runs.mailService, key);
        expect(mailsTo(key.email)).toHaveLength(1);
      });
    });

    it("is not sent a link that it ended, or that is wanted no more, while the mail is made; it is sent one later", async () => {
      for (const [end, sentLater] of [
        [(key: TestKey & { email: string }) => suppress(service, key.id, key.email, "complained"), 0],
        [(key: TestKey & { email: string }) => suppress(service, key.id, key.email, "unsubscribed"), 1],
        [(key: TestKey) => setAlertEmail(service, key.id, "another@example.com"), 1],
      ] as const) {
        const key = await createUnsubscribedKey();
        service.clock.advance(MINUTE);
        runs.mailService.meanwhile = () => end(key);
        await expect(setAlertEmail(service, key.id, key.email)).rejects.toMatchObject({
          code: "invalid_request",
        });
        expect(mailsTo(key.email)).toEqual([]);
        service.clock.advance(MINUTE);
        expect(await setAlertEmail(service, key.id, key.email)).toContain("once it confirms");
        expect(mailsTo(key.email)).toHaveLength(sentLater);
      }
    });

    it("is sent no second link when the secret is replaced while it is not known whether the first has left", async () => {
      const key = await createUnsubscribedKey();
      const lost: Mailer = {
        name: "outbox",
        send: async (mail) => {
          await runs.mailService.send(mail);
          throw new DestinationError("no answer", { inDoubt: true });
        },
      };
      const set = (secret: string, mailer: Mailer) =>
        setAlertEmail({ ...service, mailer, links: createLinkSigner(secret) }, key.id, key.email);
      const unavailable = { code: "unavailable" };
      await expect(set("the secret of before, of 32 characters", lost)).rejects.toMatchObject(unavailable);
      service.clock.advance(MINUTE);
      // The mail service knows the key of this mail, and that its words were others.
      await expect(set("another secret of at least 32 characters", runs.mailService)).rejects.toMatchObject(
        unavailable,
      );
      expect(runs.mailService.tries.filter(({ sent }) => sent.to === key.email)).toHaveLength(2);
      expect(mailsTo(key.email)).toHaveLength(1);
    });

    it("is tried once in 30 days where the mail service refuses it for good", async () => {
      const key = await createUnsubscribedKey();
      runs.mailService.failures.push(new DestinationError("422", { final: true }));
      const set = () => setAlertEmail(service, key.id, key.email);
      await expect(set()).rejects.toMatchObject({ code: "unavailable" });
      for (let time = 0; time < 5; time++) await set();
      expect(runs.mailService.tries.filter(({ sent }) => sent.to === key.email)).toHaveLength(1);
    });

    it("once it has complained, is not let in by a link from before, and is sent another after 30 days", async () => {
      const key = await createUnsubscribedKey();
      await setAlertEmail(service, key.id, key.email);
      const token = confirmToken(key.email);
      service.clock.advance(MINUTE);
      await suppress(service, key.id, key.email.toUpperCase(), "complained");
      await suppress(service, key.id, key.email, "bounced");
      await post(confirmRoute, token);
      expect(await setAlertEmail(service, key.id, key.email)).toContain("once it confirms");
      expect(mailsTo(key.email)).toHaveLength(1);
      service.clock.advance(31 * DAY);
      await setAlertEmail(service, key.id, key.email);
      expect(mailsTo(key.email)).toHaveLength(2);
    });

    it("is not sent a link by a try that was halted, and is sent one by the next", async () => {
      const key = await createUnsubscribedKey();
      runs.mailService.meanwhile = async () => service.clock.advance(2 * MINUTE);
      await expect(setAlertEmail(service, key.id, key.email)).rejects.toMatchObject({ code: "unavailable" });
      expect(mailsTo(key.email)).toEqual([]);
      await setAlertEmail(service, key.id, key.email);
      expect(mailsTo(key.email)).toHaveLength(1);
    });

    it("is left in peace for 30 days again once it complains about the link that it was sent", async () => {
      const key = await createUnsubscribedKey();
      await suppress(service, key.id, key.email, "complained");
      service.clock.advance(31 * DAY);
      await setAlertEmail(service, key.id, key.email);
      const token = confirmToken(key.email);
      service.clock.advance(29 * DAY);
      await suppress(service, key.id, key.email, "complained");
      await post(confirmRoute, token);
      service.clock.advance(29 * DAY);
      expect(await setAlertEmail(service, key.id, key.email)).toContain("once it confirms");
      expect(mailsTo(key.email)).toHaveLength(1);
    });

    it("may be cleared, or be another address that never unsubscribed", async () => {
      const key = await createUnsubscribedKey();
      expect(await setAlertEmail(service, key.id, "fresh@example.com")).toBe(
        "Alert emails will be sent to fresh@example.com",
      );
      await clearAlertEmail(service, key.id);
      expect(await service.db.select().from(alertEmails).where(eq(alertEmails.keyId, key.id))).toEqual([]);
    });
  });

  describe("a test mail", () => {
    const sendMany = (key: TestKey, times: number) =>
      Promise.allSettled(Array.from({ length: times }, () => sendTestMail(service, key.id)));
    const left = async (key: TestKey) => (await addressState(service, key.id)).test_mails_left;

    it("goes to the key's own address, which can unsubscribe by it", async () => {
      const key = await createMailedKey();
      expect(await sendTestMail(service, key.id)).toBe(key.email);
      const [mail, ...others] = mailsTo(key.email);
      expect(others).toEqual([]);
      expect(mail?.subject).toContain("Test mail");
      expect(mail?.headers["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
      const [, token = ""] = /\?token=([\w.-]+)>$/.exec(mail?.headers["List-Unsubscribe"] ?? "") ?? [];
      expect((await post(unsubscribeRoute, token)).status).toBe(200);
      expect(await alertEmail(service, key.id)).toBeNull();
    });

    it("is sent at most three times a UTC day for each key, however many are asked for at once", async () => {
      const [key, other] = [await createMailedKey(), await createMailedKey()];
      const outcomes = await sendMany(key, 8);
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
      expect(mailsTo(key.email)).toHaveLength(3);
      expect([await left(key), await left(other)]).toEqual([0, 3]);
      await expect(sendTestMail(service, key.id)).rejects.toMatchObject({
        code: "too_many_attempts",
        message: expect.stringContaining("after midnight UTC"),
        retryAfter: 12 * 60 * 60,
      });
      expect(await sendTestMail(service, other.id)).toBe(other.email);
      runs.at(runs.next, "00:00");
      expect(await left(key)).toBe(3);
      await sendMany(key, 8);
      expect(mailsTo(key.email)).toHaveLength(6);
    });

    it("keeps to the new day's three when one that was asked for before midnight comes late", async () => {
      const key = await createMailedKey();
      runs.at(runs.next, "00:00");
      await sendMany(key, 3);
      runs.at(runs.day, "23:59");
      await expect(sendTestMail(service, key.id)).rejects.toMatchObject({ code: "too_many_attempts" });
      runs.at(runs.next, "00:01");
      await sendMany(key, 3);
      expect(mailsTo(key.email)).toHaveLength(3);
    });

    it("keeps to the day's three when the address changes in between", async () => {
      const key = await createMailedKey();
      await sendMany(key, 2);
      await setAlertEmail(service, key.id, "elsewhere@example.com");
      await sendMany(key, 2);
      expect(mailsTo("elsewhere@example.com")).toHaveLength(1);
    });

    it("is refused without an address, and to one that has ended its mails", async () => {
      const key = await createMailedKey();
      await unsubscribe(service, unsubscribeToken(service, key.id, key.email));
      await expect(sendTestMail(service, key.id)).rejects.toMatchObject({ code: "invalid_request" });
      await setAlertEmail(service, key.id, key.email);
      const before = mailsTo(key.email).length;
      expect(await addressState(service, key.id)).toMatchObject({
        email: key.email,
        awaits_confirmation: true,
      });
      await expect(sendTestMail(service, key.id)).rejects.toMatchObject({
        code: "invalid_request",
        message: expect.stringContaining("until it confirms"),
      });
      expect(mailsTo(key.email)).toHaveLength(before);
      expect(await left(key)).toBe(3);
    });

    it("is not sent to an address that ends its mails while it is made, or is replaced, and does not count", async () => {
      for (const end of [
        (key: TestKey & { email: string }) =>
          unsubscribe(service, unsubscribeToken(service, key.id, key.email)),
        (key: TestKey) => setAlertEmail(service, key.id, "another@example.com"),
        (key: TestKey) => revokeKey(service, key.id),
      ]) {
        const key = await createMailedKey();
        runs.mailService.meanwhile = () => end(key);
        await expect(sendTestMail(service, key.id)).rejects.toMatchObject({ code: "invalid_request" });
        expect(mailsTo(key.email)).toEqual([]);
        expect(await left(key)).toBe(3);
      }
    });

    it("counts unless the mail service refused it for now: then only is it sure that none was sent, and another may be", async () => {
      const key = await createMailedKey();
      for (const [failure, stillLeft] of [
        [new DestinationError("too many mails"), 3],
        [new DestinationError("no answer", { inDoubt: true }), 2],
        [new Error("the line was cut"), 1],
        // Nobody can have it refuse without end.
        [new DestinationError("no such recipient", { final: true }), 0],
      ] as const) {
        runs.mailService.failures.push(failure);
        await expect(sendTestMail(service, key.id)).rejects.toMatchObject({ code: "unavailable" });
        expect(await left(key)).toBe(stillLeft);
      }
    });
  });
});
