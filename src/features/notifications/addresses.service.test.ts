import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import * as unsubscribeRoute from "@/app/api/unsubscribe/route";
import { testMails } from "@/core/db/schema";
import { DestinationError } from "@/core/mail/destination";
import { MINUTE, SECOND, utcDay } from "@/core/time";
import { revokeKey } from "@/features/keys/service";
import { type MailedKey, post, useAddresses } from "@/test/addresses";
import { useInterruptible } from "@/test/interruptible";
import type { TestKey } from "@/test/service";
import { addressState, alertEmail, sendTestMail, setAlertEmail } from "./addresses.service";
import { unsubscribe, unsubscribeToken } from "./suppressions.service";

/** More than a test mail takes. */
const STATEMENTS = 10;

describe("a test mail", () => {
  const { runs, createMailedKey, mailsTo } = useAddresses();
  const { service } = runs;
  const sendMany = (key: TestKey, times: number) =>
    Promise.allSettled(Array.from({ length: times }, () => sendTestMail(service, key.id)));
  const otherOf = ({ id }: TestKey) => `other-${id}@example.com`;
  const interrupted = useInterruptible(() => service.databaseUrl);
  /** The service of a process between whose statements something else may come. */
  const slowly = () => ({ ...service, db: interrupted.db });
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
      (key: MailedKey) => unsubscribe(service, unsubscribeToken(service, key.id, key.email)),
      (key: TestKey) => setAlertEmail(service, key.id, otherOf(key)),
      (key: TestKey) => revokeKey(service, key.id),
    ]) {
      const outcomes: number[] = [];
      for (let nth = 1; nth <= STATEMENTS; nth++) {
        const key = await createMailedKey();
        await interrupted
          .interrupt({ [nth]: () => end(key) }, () => sendTestMail(slowly(), key.id))
          .catch((error) => expect(error).toMatchObject({ code: "invalid_request" }));
        const { length } = mailsTo(key.email);
        expect(await left(key)).toBe(3 - length - mailsTo(otherOf(key)).length);
        outcomes.push(length);
      }
      // Up to the last look at it, and then not: whoever ends them after that was mailed before.
      expect(outcomes.join("")).toMatch(/^0{5,}1+$/);
    }
  });

  it("is not sent by a try that was halted, as into another day, and does not count", async () => {
    const outcomes: number[] = [];
    for (let nth = 1; nth <= STATEMENTS; nth++) {
      const key = await createMailedKey();
      const halt = async () => service.clock.advance(2 * MINUTE);
      await interrupted
        .interrupt({ [nth]: halt }, () => sendTestMail(slowly(), key.id))
        .catch((error) => expect(error).toMatchObject({ code: "unavailable" }));
      const { length } = mailsTo(key.email);
      expect(await left(key)).toBe(3 - length);
      outcomes.push(length);
    }
    expect(outcomes.join("")).toMatch(/^1*0+1+$/);
  });

  it("is not sent where the mail service was slow to take the connection, as into another day, and does not count", async () => {
    const key = await createMailedKey();
    for (const [waited, code] of [
      [11 * SECOND, "unavailable"],
      [2 * SECOND, "invalid_request"],
    ] as const) {
      service.clock.set(`${utcDay(service.clock.now())}T23:59:${waited > 10 * SECOND ? "00" : "59"}Z`);
      runs.mailService.whileConnecting = async () => service.clock.advance(waited);
      await expect(sendTestMail(service, key.id)).rejects.toMatchObject({ code });
      const rows = await service.db.select().from(testMails).where(eq(testMails.keyId, key.id));
      expect([mailsTo(key.email), rows]).toMatchObject([[], [{ sent: 0 }]]);
    }
  });

  it("is not sent on the day after it was asked for, which has three of its own, and does not count", async () => {
    const outcomes: number[] = [];
    for (let nth = 1; nth <= STATEMENTS; nth++) {
      const key = await createMailedKey();
      const day = utcDay(service.clock.now());
      service.clock.set(`${day}T23:59:59.900Z`);
      const midnight = async () => service.clock.advance(SECOND);
      await interrupted
        .interrupt({ [nth]: midnight }, () => sendTestMail(slowly(), key.id))
        .catch((error) => expect(error).toMatchObject({ code: "invalid_request" }));
      outcomes.push(mailsTo(key.email).length);
    }
    // It is asked for once its address is known, and sent after the last look at that.
    expect(outcomes.join("")).toMatch(/^1*0+1+$/);
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
