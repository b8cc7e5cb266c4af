import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { submit } from "@/app/request-key/submit";
import { DAY, HOUR } from "@/core/time";
import { dailyAllowances, keyRequests } from "@/db/schema";
import { sanitizePath } from "@/features/usage/request-log.rules";
import { TEST_START, useService } from "@/test/service";
import {
  declineRequest,
  issueLink,
  listOpenRequests,
  mailLink,
  purgeKeyRequests,
  REQUESTS_A_DAY,
  REQUESTS_PER_ADDRESS,
  REQUESTS_PER_NETWORK,
  readLink,
  redeemLink,
  requestKey,
} from "./requests.service";
import { KeyRequestInput } from "./schema";
import { authenticate, deleteKey, findKey, listKeys } from "./service";

const INPUT = {
  name: "Maya Okafor",
  email: "maya@agency.example",
  tier: "starter",
  purpose: "Scouting",
} as const;

describe("key requests", () => {
  const service = useService();

  beforeEach(async () => {
    service.clock.set(TEST_START);
    service.mails.length = 0;
    await service.db.delete(keyRequests);
    await service.db.delete(dailyAllowances);
  });

  const requestKeyAs = (address = "192.0.2.1", changes = {}) =>
    requestKey({ ...service, operatorEmail: "op@growth.test", ...changes }, INPUT, address);
  const readLinkUrl = async (id: string) => {
    const issued = await issueLink(service, id);
    return { ...issued, token: issued.url.slice("http://growth.test/key/".length) };
  };

  it.each([
    ["name", { name: "Maya\r\nBcc: all@example.com" }],
    ["name", { name: "x".repeat(10_000) }],
    ["name", { name: " " }],
    ["email", { email: "maya@agency.example\nBcc: all@example.com" }],
    ["email", { email: "maya@agency.example\n" }],
    ["email", { email: "a@b.example, c@d.example" }],
    ["email", { email: `${"x".repeat(10_000)}@agency.example` }],
    ["tier", { tier: "enterprise" }],
    ["purpose", { purpose: "x".repeat(10_000) }],
    ["purpose", { purpose: "bell \u0007" }],
  ])("refuses a wrong %s and names the field: %#", (field, change) => {
    const { error } = KeyRequestInput.safeParse({ ...INPUT, ...change });
    expect(error?.issues[0]?.path).toEqual([field]);
  });

  it("notifies the operator with one email", async () => {
    const id = await requestKeyAs();
    expect(service.mails).toMatchObject([{ to: "op@growth.test", subject: "Key requested: Maya Okafor" }]);
    expect(service.mails[0]?.text).toContain(`npm run keys -- issue --request ${id}`);
  });

  it("keeps a request when the operator cannot be notified", async () => {
    const fail = async () => Promise.reject(new Error("away"));
    const away = { mailer: { ...service.mailer, send: fail }, monitoring: { notify: fail } };
    const id = await requestKeyAs("192.0.2.1", away);
    expect(await listOpenRequests(service)).toMatchObject([{ id, ...INPUT }]);
  });

  it("accepts 5 requests per address and day, also in parallel", async () => {
    const tries = Array.from({ length: REQUESTS_PER_ADDRESS + 3 }, () => requestKeyAs());
    const settled = await Promise.allSettled(tries);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(REQUESTS_PER_ADDRESS);
    await expect(requestKeyAs()).rejects.toMatchObject({ code: "too_many_attempts" });
    await requestKeyAs("192.0.2.2");
    service.clock.advance(DAY);
    await requestKeyAs();
  });

  it.each([
    ["an IPv6 /48", (host: number) => `2001:db8:1:${host}::1`],
    ["an IPv4 /24", (host: number) => `198.51.100.${host}`],
  ])("accepts a tenth of the day's requests from %s, and others after it", async (_, createAddress) => {
    for (let host = 1; host <= REQUESTS_PER_NETWORK; host++) await requestKeyAs(createAddress(host));
    await expect(requestKeyAs(createAddress(99))).rejects.toMatchObject({ code: "too_many_attempts" });
    await requestKeyAs("2001:db8:2::1");
  });

  it("accepts 200 requests a day in total", async () => {
    const counted = {
      scope: "address all",
      kind: "key_request",
      day: "2026-03-10",
      used: REQUESTS_A_DAY - 1,
    } as const;
    await service.db.insert(dailyAllowances).values(counted);
    await requestKeyAs("192.0.2.1");
    await expect(requestKeyAs("192.0.2.2")).rejects.toMatchObject({ code: "too_many_attempts" });
  });

  it("deletes a request after 90 days, when declined, and with its key", async () => {
    await requestKeyAs();
    service.clock.advance(90 * DAY);
    await purgeKeyRequests(service);
    expect(await listOpenRequests(service)).toHaveLength(1);
    service.clock.advance(DAY);
    await purgeKeyRequests(service);
    expect(await listOpenRequests(service)).toEqual([]);
    await declineRequest(service, await requestKeyAs());
    const issued = await redeemLink(service, (await readLinkUrl(await requestKeyAs())).token);
    await deleteKey(service, issued?.record.id ?? "");
    expect(await service.db.$count(keyRequests)).toBe(0);
  });

  it("answers a filled hidden field like a request and stores nothing", async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...INPUT, website: "https://spam.example" })) form.set(name, value);
    const before = { sent: false, typed: {}, errors: {}, problem: null };
    expect(await submit(before, form)).toMatchObject({ sent: true });
    expect(await listOpenRequests(service)).toEqual([]);
  });

  describe("one-time link", () => {
    it("creates the key with the request's label and tier when used, and stores only hashes", async () => {
      const before = (await listKeys(service)).length;
      const { token } = await readLinkUrl(await requestKeyAs());
      expect(await readLink(service, token)).toMatchObject({ state: "ready", label: "Maya Okafor" });
      expect(await readLink(service, token)).toMatchObject({ state: "ready" });
      expect(await listKeys(service)).toHaveLength(before);
      const issued = await redeemLink(service, token);
      expect(await authenticate(service, issued?.secret ?? "")).toMatchObject({ tier: "starter" });
      expect(await findKey(service, issued?.record.id ?? "")).toMatchObject({ label: "Maya Okafor" });
      const [row] = await service.db.select().from(keyRequests);
      expect(row?.tokenHash).toBe(createHash("sha256").update(token).digest("hex"));
      expect(JSON.stringify(row)).not.toContain(token);
      expect(await readLink(service, token)).toMatchObject({ state: "used" });
      expect(await listOpenRequests(service)).toEqual([]);
    });

    it("creates one key when the link is used several times at once", async () => {
      const before = (await listKeys(service)).length;
      const { token } = await readLinkUrl(await requestKeyAs());
      const pressed = await Promise.all(Array.from({ length: 4 }, () => redeemLink(service, token)));
      expect(pressed.filter(Boolean)).toHaveLength(1);
      expect(await listKeys(service)).toHaveLength(before + 1);
    });

    it("expires a link after 72 hours", async () => {
      const { token } = await readLinkUrl(await requestKeyAs());
      service.clock.advance(72 * HOUR);
      expect(await readLink(service, token)).toEqual({ state: "ended" });
      expect(await redeemLink(service, token)).toBeNull();
    });

    it("closes a link when another is issued, and issues none for a used request", async () => {
      const id = await requestKeyAs();
      const first = await readLinkUrl(id);
      const second = await readLinkUrl(id);
      expect(await redeemLink(service, first.token)).toBeNull();
      expect(await redeemLink(service, second.token)).not.toBeNull();
      await expect(readLinkUrl(id)).rejects.toMatchObject({ code: "not_found" });
    });

    it("emails the link to the address of the request", async () => {
      const issued = await readLinkUrl(await requestKeyAs());
      await mailLink(service, issued);
      expect(service.mails.at(-1)).toMatchObject({ to: INPUT.email });
      expect(service.mails.at(-1)?.text).toContain(issued.url);
    });

    it("removes the link's token from logged paths", () => {
      expect(sanitizePath("/key/abc_DEF-123")).toBe("/key/…");
      expect(sanitizePath("/shared/abc_DEF-123/image")).toBe("/shared/…/image");
    });
  });
});
