import { describe, expect, it } from "vitest";
import * as unsubscribeRoute from "@/app/api/unsubscribe/route";
import { DestinationError } from "@/core/mail/destination";
import { post, useAddresses } from "@/test/addresses";
import type { TestKey } from "@/test/service";
import { getAddressState, getAlertEmail, sendTestMail, setAlertEmail } from "./addresses.service";
import { createUnsubscribeToken, unsubscribe } from "./suppressions.service";

describe("test email", () => {
  const { runs, createMailedKey, mailsTo } = useAddresses();
  const { service } = runs;
  const sendMany = (key: TestKey, times: number) =>
    Promise.allSettled(Array.from({ length: times }, () => sendTestMail(service, key.id)));
  const readLeft = async (key: TestKey) => (await getAddressState(service, key.id)).test_mails_left;

  it("sends a test email to the key's own address, with a link to unsubscribe", async () => {
    const key = await createMailedKey();
    expect(await sendTestMail(service, key.id)).toBe(key.email);
    const [mail, ...others] = mailsTo(key.email);
    expect(others).toEqual([]);
    expect(mail?.subject).toContain("Test email");
    expect(mail?.headers["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
    const [, token = ""] = /\?token=([\w.-]+)>$/.exec(mail?.headers["List-Unsubscribe"] ?? "") ?? [];
    expect((await post(unsubscribeRoute, token)).status).toBe(200);
    expect(await getAlertEmail(service, key.id)).toBeNull();
  });

  it("sends at most three test emails per key and UTC day, even in parallel", async () => {
    const [key, other] = [await createMailedKey(), await createMailedKey()];
    const outcomes = await sendMany(key, 8);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(mailsTo(key.email)).toHaveLength(3);
    expect([await readLeft(key), await readLeft(other)]).toEqual([0, 3]);
    await expect(sendTestMail(service, key.id)).rejects.toMatchObject({
      code: "too_many_attempts",
      message: expect.stringContaining("after midnight UTC"),
      retryAfter: 12 * 60 * 60,
    });
    expect(await sendTestMail(service, other.id)).toBe(other.email);
    runs.setTime(runs.next, "00:00");
    expect(await readLeft(key)).toBe(3);
    await sendMany(key, 8);
    expect(mailsTo(key.email)).toHaveLength(6);
  });

  it("counts a test email from before midnight for its own day, however late it arrives", async () => {
    const key = await createMailedKey();
    runs.setTime(runs.next, "00:00");
    await sendMany(key, 3);
    runs.setTime(runs.day, "23:59");
    await sendMany(key, 4);
    runs.setTime(runs.next, "00:01");
    await sendMany(key, 3);
    expect(mailsTo(key.email)).toHaveLength(6);
  });

  it("sends at most three test emails to an address over all keys, and quotes no label in them", async () => {
    const key = await createMailedKey();
    const others = [await createMailedKey(), await createMailedKey()];
    for (const other of others) await setAlertEmail(service, other.id, key.email.toUpperCase());
    await sendMany(key, 2);
    for (const other of others) await sendMany(other, 2);
    const mails = [...mailsTo(key.email), ...mailsTo(key.email.toUpperCase())];
    expect(mails).toHaveLength(3);
    for (const { subject, html, text } of mails) expect(subject + html + text).not.toContain("Test key");
    expect(await readLeft(key)).toBe(0);
  });

  it("keeps to three test emails when the address changes", async () => {
    const key = await createMailedKey();
    await sendMany(key, 2);
    await setAlertEmail(service, key.id, "elsewhere@example.com");
    await sendMany(key, 2);
    expect(mailsTo("elsewhere@example.com")).toHaveLength(1);
  });

  it("refuses a test email without an address, and to one that unsubscribed", async () => {
    const key = await createMailedKey();
    await unsubscribe(service, createUnsubscribeToken(service, key.id, key.email));
    await expect(sendTestMail(service, key.id)).rejects.toMatchObject({ code: "invalid_request" });
    await setAlertEmail(service, key.id, key.email);
    const before = mailsTo(key.email).length;
    expect(await getAddressState(service, key.id)).toMatchObject({
      email: key.email,
      awaits_confirmation: true,
    });
    await expect(sendTestMail(service, key.id)).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("first, with the link"),
    });
    expect(mailsTo(key.email)).toHaveLength(before);
    expect(await readLeft(key)).toBe(3);
  });

  it("counts a test email unless the email service refused it for now", async () => {
    const key = await createMailedKey();
    for (const [failure, stillLeft] of [
      [new DestinationError("too many mails"), 3],
      [new DestinationError("no answer", { isOutcomeUnknown: true }), 2],
      [new Error("the line was cut"), 1],
      // Counts, so that a client cannot make the email service refuse without limit.
      [new DestinationError("no such recipient", { final: true }), 0],
    ] as const) {
      runs.mailService.failures.push(failure);
      await expect(sendTestMail(service, key.id)).rejects.toMatchObject({ code: "unavailable" });
      expect(await readLeft(key)).toBe(stillLeft);
    }
  });
});
