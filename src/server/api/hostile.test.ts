import fc from "fast-check";
import { beforeAll, describe, expect, inject, it } from "vitest";
import * as confirm from "@/app/api/confirm-address/route";
import * as inngest from "@/app/api/inngest/route";
import * as trpc from "@/app/api/trpc/[trpc]/route";
import * as unsubscribe from "@/app/api/unsubscribe/route";
import * as webhook from "@/app/api/webhooks/resend/route";
import { DAY } from "@/core/time";
import type { Contract } from "@/features/endpoint";
import { appRouter } from "@/server/console/router";
import { answer } from "@/test/request";
import { createKey, TEST_START, type TestKey, useService } from "@/test/service";
import { CONTRACTS, getEndpoint } from "./endpoints";

/** Runs of each property (FUZZ_RUNS). A failure prints its seed and the smallest input. */
const RUNS = inject("fuzzRuns");

const NASTY = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\u202e\u2028\ufeff",
  "𝕳💥é",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "null",
  "undefined",
  "NaN",
  "-0",
  "1e309",
  "99999999999999999999999999",
  "-9223372036854775809",
  "0x7fffffff",
  "١٢٣",
  "' or 1=1 --",
  "'; drop table alerts; --",
  "\\'); values (pg_sleep(9)); --",
  "$1",
  "%00",
  "%",
  "%%%",
  "{{7*7}}",
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  '=HYPERLINK("http://elsewhere.example")',
  "a@b.example\r\nBcc: eve@elsewhere.example",
  '"a b"@example.com',
  "a@[127.0.0.1]",
  "http://169.254.169.254/latest/meta-data/",
  "https://www.youtube.com@elsewhere.example/@name",
  "https://elsewhere.example/channel/UCY8vMFsho8bt_uH0G7KX-bg",
  "file:///etc/passwd",
  "../../etc/passwd",
  "UCaaaaaaaaaaaaaaaaaaaaaa",
  "@juniperfivecrits",
  "x".repeat(5000),
];

const nasty = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.tuple(fc.constantFrom(...NASTY), fc.string({ maxLength: 20 })).map((parts) => parts.join("")),
);
const anything = fc.oneof(
  nasty,
  fc.jsonValue({ maxDepth: 3 }),
  fc.double(),
  fc.maxSafeInteger(),
  fc.constantFrom(true, null, {}, [], { toString: "x" }, { length: 1e9 }),
);

/** Names that the API or JavaScript knows. */
const name = fc.oneof(
  fc.constantFrom(
    ...CONTRACTS.flatMap(({ params, query, body }) =>
      [params, query, body].flatMap((schema) => Object.keys(schema?.shape ?? {})),
    ),
    "__proto__",
    "constructor",
    "prototype",
    "then",
    "toJSON",
    "",
  ),
  nasty,
);
const fields = fc.array(fc.tuple(name, anything), { maxLength: 6 });

/** Whether a header may have this value. */
function isHeaderValue(value: string): boolean {
  try {
    new Headers({ a: value });
    return true;
  } catch {
    return false;
  }
}
const headers = fc.dictionary(
  fc.constantFrom(
    ..."accept accept-language authorization content-type cookie host origin range referer sec-fetch-site te traceparent user-agent x-forwarded-for x-forwarded-host x-http-method-override x-request-id x-client-address x-inngest-signature svix-id svix-signature svix-timestamp if-none-match expect".split(
      " ",
    ),
  ),
  nasty.filter(isHeaderValue),
);

/** Encodes a text for a URL; lone surrogates become the bytes they would have. */
function encodeInUrl(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd")).replaceAll("%EF%BF%BD", "%ED%A0%80");
}

function toText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** JSON of an object with any names, such as `__proto__`. */
function toJson(members: [string, unknown][]): string {
  const parts = members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value) ?? "null"}`);
  return `{${parts.join(",")}}`;
}

const INSIDE = /\bat \S+ \(|node_modules|\/src\/|drizzle|postgres|failed query|\bselect\b.+\bfrom\b|zod/i;

describe("hostile input", () => {
  const service = useService();
  let key: TestKey;
  let cookie: string;

  beforeAll(async () => {
    key = await createKey(service, "pro");
    const signedIn = await trpc.POST(
      new Request("http://growth.test/api/trpc/sessions.signIn", {
        method: "POST",
        headers: { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin" },
        body: JSON.stringify({ key: key.secret }),
      }),
    );
    cookie = signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  });

  /** Expects a response that is not a server failure and shows no internals. */
  async function expectSound(response: Response, requested: string): Promise<void> {
    const text = await response.text();
    expect(response.status, `${requested}: ${text}`).toBeLessThan(500);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    if (response.status >= 400) expect(text.replaceAll(requested, "")).not.toMatch(INSIDE);
  }

  /** Runs over several days to stay within the key's quota. */
  async function checkProperty<T>(input: fc.Arbitrary<T>, property: (value: T) => Promise<void>): Promise<void> {
    let runs = 0;
    const runOnNewDay = async (value: T) => {
      if (++runs % 1000 === 0) service.clock.advance(DAY);
      await property(value);
    };
    await fc.assert(fc.asyncProperty(input, runOnNewDay), { numRuns: RUNS });
    service.clock.set(TEST_START);
  }

  it("answers hostile input to any endpoint as documented", async () => {
    const request = fc.record({
      id: fc.constantFrom(...CONTRACTS.map((contract) => contract.id)),
      segment: nasty,
      query: fields,
      body: fc.oneof(
        fields.map(toJson),
        nasty,
        anything.map((value) => JSON.stringify(value) ?? ""),
      ),
      type: fc.constantFrom("application/json", "application/json; charset=utf-16", "text/plain"),
      headers,
      withKey: fc.integer({ max: 9, min: 0 }).map((dice) => dice > 0),
    });
    await checkProperty(request, async ({ id, segment, query, body, type, headers: more, withKey }) => {
      const contract: Contract = getEndpoint(id).contract;
      const written = encodeInUrl(segment);
      // Dots alone lead to a parent folder.
      const path = contract.path.replace(/\{\w+\}/, /^\.*$/.test(written) ? "%00" : written);
      const search = new URLSearchParams(query.map(([field, value]) => [field, toText(value)]));
      const url = `http://growth.test${path}?${search}`;
      const sentHeaders = new Headers(more);
      if (withKey) sentHeaders.set("X-API-Key", key.secret);
      if (contract.body) sentHeaders.set("Content-Type", type);
      const { method } = contract;
      await expectSound(
        await answer(new Request(url, { method, headers: sentHeaders, ...(contract.body && { body }) })),
        `${method} ${url}`,
      );
    });
  });

  it("answers hostile input to any console procedure, signed in or not", async () => {
    const procedures = Object.keys(appRouter._def.procedures);
    expect(procedures.length).toBeGreaterThan(15);
    const call = fc.record({
      procedure: fc.oneof(fc.constantFrom(...procedures.filter((one) => !one.startsWith("sessions."))), nasty),
      method: fc.constantFrom("GET" as const, "POST" as const),
      input: fc.oneof(
        fields.map(toJson),
        nasty,
        anything.map((value) => JSON.stringify(value) ?? ""),
      ),
      batch: fc.constantFrom("", "&batch=1"),
      headers,
      signedIn: fc.boolean(),
    });
    await checkProperty(call, async ({ procedure, method, input, batch, headers: more, signedIn }) => {
      const given = method === "GET" ? `input=${encodeInUrl(input)}` : "";
      const url = `http://growth.test/api/trpc/${encodeInUrl(procedure)}?${given}${batch}`;
      const sentHeaders = new Headers(more);
      sentHeaders.set("Sec-Fetch-Site", "same-origin");
      if (method === "POST") sentHeaders.set("Content-Type", "application/json");
      if (signedIn) sentHeaders.set("Cookie", cookie);
      const request = new Request(url, {
        method,
        headers: sentHeaders,
        ...(method === "POST" && { body: input }),
      });
      await expectSound(await (method === "GET" ? trpc.GET : trpc.POST)(request), `${method} ${url}`);
    });
  });

  it("refuses hostile sessions, link tokens and signatures", async () => {
    const forged = fc.record({ token: nasty, headers, body: fc.oneof(nasty, fields.map(toJson)) });
    const OPEN = [
      ["unsubscribe", unsubscribe],
      ["confirm-address", confirm],
      ["webhooks/resend", webhook],
      ["inngest", inngest],
    ] as const;
    await checkProperty(forged, async ({ token, headers: more, body }) => {
      const written = encodeInUrl(token);
      for (const [path, { GET, POST }] of OPEN) {
        const url = `http://growth.test/api/${path}?token=${written}&fnId=${written}`;
        for (const response of [
          await GET(new Request(url, { headers: more })),
          await POST(new Request(url, { method: "POST", headers: more, body })),
        ]) {
          expect(response.status, path).not.toBe(200);
          await expectSound(response, path);
        }
      }
      const sentHeaders = new Headers(more);
      sentHeaders.set("Cookie", `session=${written}`);
      const mine = await trpc.GET(new Request("http://growth.test/api/trpc/keys.mine", { headers: sentHeaders }));
      expect(mine.status).toBe(401);
    });
  });
});
