import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import * as unsubscribeRoute from "@/app/api/unsubscribe/route";
import { createLinkSigner } from "@/core/http/signing";
import { deleteKey } from "@/features/keys/service";
import { followLink, post, useAddresses } from "@/test/addresses";
import { send } from "@/test/request";
import { getAlertEmail, setAlertEmail } from "./addresses.service";
import { createUnsubscribeToken } from "./suppressions.service";

describe("unsubscribing", () => {
  const { runs, createMailedKey, mailsTo, growAndCount } = useAddresses();
  const { service } = runs;

  it("removes the key's address by POST and ends its emails", async () => {
    const key = await createMailedKey();
    const answer = await post(unsubscribeRoute, createUnsubscribeToken(service, key.id, key.email));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ status: "ok" });
    expect(await getAlertEmail(service, key.id)).toBeNull();
    const { body } = await send("/api/alerts/email", { key: key.secret });
    expect(body).toMatchObject({ status: "ok", email: null, delivery: null, delivery_since: null });
    expect(await growAndCount(key)).toBe(0);
  });

  it("accepts the link in the email's headers as email clients post it, any number of times", async () => {
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
      expect(await getAlertEmail(service, key.id)).toBeNull();
    }
  });

  it("changes nothing by GET and redirects to the page with the button", async () => {
    const key = await createMailedKey();
    const token = createUnsubscribeToken(service, key.id, key.email);
    const answer = await followLink(unsubscribeRoute, token);
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe(`/unsubscribe?token=${token}`);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    expect(await getAlertEmail(service, key.id)).toBe(key.email);
    expect(await growAndCount(key)).toBe(1);
  });

  it("redirects a browser's form to the page that shows the result", async () => {
    const key = await createMailedKey();
    const headers = { "sec-fetch-mode": "navigate" };
    const token = createUnsubscribeToken(service, key.id, key.email);
    const refused = await post(unsubscribeRoute, "forged", { headers });
    expect(refused.headers.get("location")).toBe("/unsubscribe?token=forged");
    const done = await post(unsubscribeRoute, token, { headers });
    expect([done.status, done.headers.get("location")]).toEqual([303, "/unsubscribe?done=yes"]);
  });

  it("refuses any other token", async () => {
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
      expect(await answer.json()).toEqual({ error: "The link is not valid", code: "invalid_request" });
    }
    expect(await getAlertEmail(service, key.id)).toBe(key.email);
  });

  it("leaves other keys with the same address subscribed", async () => {
    const one = await createMailedKey("shared@example.com");
    const other = await createMailedKey("shared@example.com");
    await post(unsubscribeRoute, createUnsubscribeToken(service, one.id, one.email));
    expect(await getAlertEmail(service, one.id)).toBeNull();
    expect(await getAlertEmail(service, other.id)).toBe("shared@example.com");
    expect(await growAndCount(one)).toBe(0);
    expect(await growAndCount(other)).toBe(1);
  });

  it("keeps the current address when the link names an earlier one", async () => {
    const key = await createMailedKey();
    await setAlertEmail(service, key.id, "present@example.com");
    await post(unsubscribeRoute, createUnsubscribeToken(service, key.id, key.email));
    expect(await getAlertEmail(service, key.id)).toBe("present@example.com");
    expect(await growAndCount({ ...key, email: "present@example.com" })).toBe(1);
  });

  it("succeeds while the key is being deleted", async () => {
    const key = await createMailedKey();
    const token = createUnsubscribeToken(service, key.id, key.email);
    let answer: Promise<Response> | undefined;
    await service.db.transaction(async (tx) => {
      await deleteKey({ ...service, db: tx }, key.id);
      answer = post(unsubscribeRoute, token);
      const waiting = sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(() => service.db.execute(waiting), { timeout: 20_000 }).toHaveLength(1);
    });
    expect((await answer)?.status).toBe(200);
  });

  it("ignores the case of the address", async () => {
    const key = await createMailedKey("Mixed.Case@Example.com");
    const token = createUnsubscribeToken(service, key.id, "MIXED.case@example.com");
    expect(token).toBe(createUnsubscribeToken(service, key.id, key.email));
    await setAlertEmail(service, key.id, "mixed.CASE@example.com");
    await post(unsubscribeRoute, token);
    expect(await getAlertEmail(service, key.id)).toBeNull();
    const again = await setAlertEmail(service, key.id, "MIXED.CASE@EXAMPLE.COM");
    expect(again).toContain("once you confirm");
    expect(await growAndCount({ ...key, email: "MIXED.CASE@EXAMPLE.COM" })).toBe(0);
  });
});
