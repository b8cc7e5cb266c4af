import { beforeEach, describe, expect, it } from "vitest";
import { GET as getFeed } from "@/app/changelog.xml/route";
import { trackCreator } from "@/features/creators/service";
import { SANDBOX_KEY } from "@/features/keys/rules";
import { CONTRACTS } from "@/server/api/endpoints";
import { installContext } from "@/server/context";
import { buildExampleUrl } from "@/server/docs/snippets";
import { send } from "@/test/request";
import { createKey, TEST_START, type TestKey, useService } from "@/test/service";

const STRONG = /^"[0-9a-f]{64}"$/;
const GETS = CONTRACTS.filter(({ method }) => method === "GET").map((contract) => ({
  id: contract.id,
  path: buildExampleUrl(contract, { appUrl: "", sample: true, hasSandbox: true }),
}));

describe("caching of answers", () => {
  const service = useService();
  let key: TestKey;

  beforeEach(async () => {
    service.clock.set(TEST_START);
    key = await createKey(service);
    installContext(service);
    await trackCreator(service, key.id, { kind: "handle", handle: "@juniperfivecrits" });
  });

  const get = (path: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" | "POST" = "GET") =>
    send(path, { key: key.secret, headers, method });
  const getTag = async (path: string) => (await get(path)).headers.get("etag") ?? "";

  it.each(GETS)("gives $id a strong entity tag and a kept form of its own for each key", async ({ path }) => {
    const { status, headers } = await get(path);
    expect(status).toBe(200);
    expect(headers.get("etag")).toMatch(STRONG);
    expect(headers.get("cache-control")).toMatch(/^private, (no-cache|max-age=\d+)$/);
    expect(headers.get("vary")).toBe("X-API-Key");
  });

  it("answers 304 without a body and with the rate headers, and counts it", async () => {
    const etag = await getTag("/api/track");
    const answer = await get("/api/track", { "If-None-Match": etag });
    expect(answer).toMatchObject({ status: 304, text: "" });
    expect(answer.headers.get("etag")).toBe(etag);
    expect(answer.headers.get("content-type")).toBeNull();
    expect(answer.headers.get("x-ratelimit-remaining")).toBe("48");
    expect((await get("/api/track", { "If-None-Match": etag }, "HEAD")).status).toBe(304);
    expect((await get("/api/usage")).body.requests_today).toBe(4);
  });

  it.each([
    ["in a list", (etag: string) => `"other", ${etag}`],
    ["weakened by a proxy", (etag: string) => `W/${etag}`],
    ["of the compressed form", (etag: string) => etag.replace(/"$/, '-br"')],
    ["as *", () => "*"],
  ])("knows an entity tag %s", async (_, format) => {
    const given = format(await getTag("/api/track"));
    expect((await get("/api/track", { "If-None-Match": given })).status).toBe(304);
  });

  it("answers 200 once something has changed, and for a tag of another key's answer", async () => {
    const etag = await getTag("/api/track");
    const other = await createKey(service);
    expect((await send("/api/track", { key: other.secret, headers: { "If-None-Match": etag } })).status).toBe(200);
    await trackCreator(service, key.id, { kind: "handle", handle: "@sprocketowl" });
    const answer = await get("/api/track", { "If-None-Match": etag });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("etag")).not.toBe(etag);
  });

  it.each([
    ["2026-03-10T12:00:00.000Z", "private, max-age=300"],
    ["2026-03-11T05:59:00.000Z", "private, max-age=60"],
    ["2026-03-11T05:59:59.900Z", "private, no-cache"],
    ["2026-03-11T06:00:00.000Z", "private, max-age=300"],
  ])("lets an answer be kept at %s until the next run at most: %s", async (now, expected) => {
    service.clock.set(now);
    expect((await get("/api/discover?niche=gaming")).headers.get("cache-control")).toBe(expected);
    expect((await get("/api/track")).headers.get("cache-control")).toBe("private, no-cache");
  });

  it("sends errors, POST answers and sandbox answers with no-store", async () => {
    const answers = [
      await get("/api/alerts?limit=0"),
      await get("/api/nothing"),
      await get("/api/health"),
      await send("/api/alerts/email", { key: key.secret, method: "POST", body: { email: "a@example.com" } }),
      await send("/api/discover?niche=gaming", { key: SANDBOX_KEY }),
    ];
    for (const { headers } of answers) {
      expect(headers.get("cache-control")).toBe("private, no-store");
      expect(headers.get("etag")).toBeNull();
    }
  });

  it("answers 304 for documents too", async () => {
    const { headers } = await get("/api/openapi.json");
    expect(headers.get("etag")).toMatch(STRONG);
    const known = await get("/api/openapi.json", { "If-None-Match": headers.get("etag") ?? "" });
    expect(known).toMatchObject({ status: 304, text: "" });
    const ask = (tag = "") =>
      getFeed(new Request("http://growth.test/changelog.xml", { headers: { "If-None-Match": tag } }));
    const feed = await ask();
    expect(await feed.text()).toContain("<feed");
    expect((await ask(feed.headers.get("etag") ?? "")).status).toBe(304);
  });

  it.each(["/api/openapi.json", "/api/health", "/api/status", "/api/status/badge.svg"])(
    "lets pages of any site read %s",
    async (path) => {
      const { headers } = await get(path);
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    },
  );

  it("lets no other site's page read an answer to a key", async () => {
    const { headers } = await get("/api/usage");
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
  });
});

describe("parameters that an endpoint does not have", () => {
  const service = useService();
  let key: TestKey;

  beforeEach(async () => {
    key = await createKey(service);
    installContext(service);
  });

  const get = (path: string) => send(path, { key: key.secret });

  it("are ignored and named in a header, also of an error", async () => {
    const named = async (path: string) => (await get(path)).headers.get("x-ignored-parameters");
    expect(await named("/api/alerts?limit=5")).toBeNull();
    expect(await named("/api/alerts?lmit=5&page=2&lmit=6")).toBe("lmit, page");
    expect(await named("/api/alerts?lmit=5&limit=0")).toBe("lmit");
    expect(await named("/api/usage?__proto__=1&a%0Ab=2")).toBe("__proto__, a%0Ab");
  });

  it("are refused with strict=true, by name", async () => {
    const answer = await get("/api/usage/days?lmit=5&strict=true");
    expect(answer.status).toBe(400);
    expect(answer.body.issues).toEqual([
      { field: "lmit", message: "is not a parameter of this endpoint, which has none" },
    ]);
    expect((await get("/api/alerts?limit=5&strict=true")).status).toBe(200);
    expect((await get("/api/alerts?lmit=5&strict=false")).status).toBe(200);
    expect((await get("/api/alerts?strict=yes")).body.issues).toEqual([
      { field: "strict", message: "must be true or false" },
    ]);
  });

  it("are at most twenty in the header and short, however many are sent", async () => {
    const search = Array.from({ length: 500 }, (_, number) => `${"x".repeat(300)}${number}=1`).join("&");
    const header = (await get(`/api/alerts?${search}`)).headers.get("x-ignored-parameters") ?? "";
    expect(header.length).toBeLessThan(2100);
  });
});
