import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { getErrorMessage } from "@/core/errors";
import { ManualClock, MINUTE } from "@/core/time";
import { createChannelId } from "@/test/platform";
import { type FixedAnswer, startStandIn } from "@/test/stand-in";
import { createError, ERRORS } from "@/test/youtube-answers";
import { createYoutubeBench, type YoutubeBench } from "@/test/youtube-bench";
import { type PlatformError, PlatformError as PlatformErrorClass } from "../port";

const START = "2026-07-10T12:00:00Z";
const TO_MIDNIGHT = 19 * 3600;
const ID = createChannelId(1);

describe("YouTube failures", () => {
  const clock = new ManualClock(START);
  let bench: YoutubeBench;
  beforeAll(async () => {
    bench = await createYoutubeBench(clock);
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    clock.set(START);
    await bench.reset();
    bench.server.show(ID);
  });

  const read = async () => (await bench.platform.listChannels([ID])).channels;
  const expectPlatformError = async (work: Promise<unknown>): Promise<PlatformError> => {
    const thrown = await work.then(
      () => null,
      (caught) => caught,
    );
    if (thrown instanceof PlatformErrorClass) return thrown;
    throw new Error(`not a PlatformError: ${getErrorMessage(thrown)}`);
  };
  const getGeneralUnits = async () => (await bench.ledger.listSpentUnits())[1];
  const search = async () => (await bench.ledger.listSpentUnits())[0];

  describe("refused keys and wrong addresses", () => {
    it.each([
      ["an invalid key", ERRORS.wrongKey],
      ["an invalid key, in the older form", ERRORS.wrongKeyOfOld],
      ["no key", ERRORS.missingKey],
      ["an API that is not enabled", ERRORS.disabled],
      ["a restricted key", ERRORS.blocked],
      ["a suspended project", ERRORS.suspended],
      ["another refusal", ERRORS.forbidden],
    ])("logs what the operator must do about %s", async (_, answer) => {
      bench.server.faults.push(answer);
      const failure = await expectPlatformError(read());
      expect(failure).toMatchObject({ failure: "forbidden", retryAfter: 300, status: 503 });
      const { message } = answer.body.error;
      expect(failure.detail).toContain("Check the key and its Google Cloud project");
      expect(failure.detail).toContain(message);
      expect(failure.message).not.toContain("YOUTUBE");
      expect(bench.logged.join()).toContain(failure.detail);
    });

    it("makes no calls for five minutes while the key is refused", async () => {
      bench.server.faults.push(ERRORS.disabled);
      await expectPlatformError(read());
      clock.advance(4 * MINUTE);
      expect(await expectPlatformError(bench.platform.search("chess"))).toMatchObject({
        failure: "forbidden",
        retryAfter: 60,
      });
      expect(bench.server.calls).toHaveLength(1);
      clock.advance(MINUTE);
      expect(await read()).toHaveLength(1);
    });

    it("does not mistake a client's words in a message for the reason", async () => {
      const words = "Quota exceeded per day, API key not valid, Requests are blocked, quotaExceeded";
      bench.server.faults.push(createError(400, "invalidParameter", `Invalid value for q: ${words}`));
      const failure = await expectPlatformError(bench.platform.search(words));
      expect(failure).toMatchObject({ failure: "unavailable", retryAfter: 60 });
      expect(await search()).toMatchObject({ exhausted: false });
      expect(await read()).toHaveLength(1);
    });

    it("continues after a single refused call", async () => {
      bench.server.faults.push(ERRORS.forbidden);
      await expectPlatformError(read());
      expect(await read()).toHaveLength(1);
    });

    it.each([
      ["HTML", { status: 200, body: "<!DOCTYPE html><p>Please log in" }],
      ["an empty body", { status: 200, body: "" }],
      ["other JSON", { status: 200, body: '{"hello":"world"}' }],
      ["JSON that ends early", { status: 200, body: '{"kind":"youtube#channelListRes' }],
      ["a list of another type", { status: 200, body: '{"kind":"youtube#channelListResponse","items":5}' }],
      ["another list", { status: 200, body: '{"kind":"youtube#videoListResponse"}' }],
      ["a redirect", { status: 302, body: "", headers: { Location: "http://127.0.0.1:1/" } }],
      ["a page not found", ERRORS.notFound],
    ] as [string, FixedAnswer][])("logs an address that answers with %s, without a retry", async (_, answer) => {
      bench.server.faults.push(answer);
      const failure = await expectPlatformError(read());
      expect(failure).toMatchObject({ failure: "unavailable", retryAfter: 60 });
      expect(failure.detail).toMatch(/YOUTUBE_API_URL/);
      expect(bench.server.calls).toHaveLength(1);
    });
  });

  it("does not follow redirects, so that the key stays with YouTube", async () => {
    const elsewhere = await startStandIn({ answer: () => Response.json({}) });
    bench.server.faults.push({ status: 307, body: "", headers: { Location: elsewhere.url } });
    await expectPlatformError(read());
    expect(elsewhere.calls).toEqual([]);
    await elsewhere.stop();
  });

  describe("daily quota", () => {
    it.each([
      ["403 quotaExceeded", ERRORS.quotaExceeded],
      ["403 dailyLimitExceeded", ERRORS.dailyLimitExceeded],
      ["a reason without a message", createError(403, "quotaExceeded", "")],
      ["429 per day", createError(429, "rateLimitExceeded", "Quota exceeded for limit 'Queries per day'")],
    ])("makes no calls until midnight Pacific time after %s", async (_, answer) => {
      bench.server.faults.push(answer);
      expect(await expectPlatformError(read())).toMatchObject({
        failure: "quota_exhausted",
        retryAfter: TO_MIDNIGHT,
        message: "YouTube's daily quota is used up. Try again after 07:00 UTC.",
        detail: expect.stringMatching(/^The daily quota of YOUTUBE_API_KEY is used up until midnight/),
      });
      expect(await getGeneralUnits()).toMatchObject({ used: 1, exhausted: true });
      expect(await search()).toMatchObject({ exhausted: false });
      clock.advance(TO_MIDNIGHT * 1000 - 1);
      expect(await expectPlatformError(read())).toMatchObject({ failure: "quota_exhausted", retryAfter: 1 });
      expect(bench.server.calls).toHaveLength(1);
      clock.advance(1);
      expect(await read()).toHaveLength(1);
    });

    it("still reads channels when the quota of searches is used up", async () => {
      bench.server.allow({ search: 1 });
      await bench.platform.search("chess");
      expect(await expectPlatformError(bench.platform.search("cooking"))).toMatchObject({
        failure: "quota_exhausted",
        retryAfter: TO_MIDNIGHT,
      });
      expect([await search(), await getGeneralUnits()]).toMatchObject([
        { used: 2, exhausted: true },
        { used: 0, exhausted: false },
      ]);
      expect(await read()).toHaveLength(1);
    });

    it("marks the bucket named in the message", async () => {
      const message = "Quota exceeded for quota metric 'Queries' and limit 'Queries per day' of service";
      bench.server.faults.push(createError(429, "rateLimitExceeded", message));
      await expectPlatformError(bench.platform.search("chess"));
      expect([await search(), await getGeneralUnits()]).toMatchObject([{ exhausted: false }, { exhausted: true }]);
    });

    it("spends no search when the channels found could not be read", async () => {
      await Promise.all(Array.from({ length: 200 }, () => bench.ledger.spend("general", "run")));
      expect(await expectPlatformError(bench.platform.search("chess"))).toMatchObject({
        failure: "quota_exhausted",
        retryAfter: TO_MIDNIGHT,
        detail: "the daily YouTube units are used up",
      });
      expect(bench.server.calls).toEqual([]);
      expect(await search()).toMatchObject({ used: 0 });
    });

    it("makes no calls when the ledger is used up", async () => {
      await Promise.all(Array.from({ length: 100 }, () => bench.ledger.spend("search", "run")));
      expect(await expectPlatformError(bench.platform.search("chess"))).toMatchObject({
        failure: "quota_exhausted",
        retryAfter: TO_MIDNIGHT,
        detail: "the daily YouTube searches are used up",
      });
      expect(bench.server.calls).toEqual([]);
    });
  });

  it.each([
    ["429 per minute", ERRORS.perMinute, 60],
    ["403 rateLimitExceeded", ERRORS.rateLimit, 60],
    ["429 with a Retry-After", { ...ERRORS.perMinute, headers: { "Retry-After": "7" } }, 7],
    ["429 with a date", { ...ERRORS.rateLimit, headers: { "Retry-After": "Mon" } }, 60],
    ["429 with a long wait", { ...ERRORS.rateLimit, headers: { "Retry-After": "999999" } }, 3600],
    ["429 without an error", { status: 429, body: "slow down" }, 60],
  ] as [string, FixedAnswer, number][])(
    "does not retry a rate limit immediately: %s",
    async (_, answer, retryAfter) => {
      bench.server.faults.push(answer);
      expect(await expectPlatformError(read())).toMatchObject({ failure: "rate_limited", retryAfter });
      expect(bench.server.calls).toHaveLength(1);
      expect(await getGeneralUnits()).toMatchObject({ used: 1, exhausted: false });
    },
  );

  it.each([ERRORS.channelNotFound, createError(403, "channelClosed", ""), createError(403, "channelSuspended", "")])(
    "treats %j as a missing channel for one id, and as a failure for many",
    async (answer) => {
      bench.server.faults.push(answer, answer, answer);
      expect(await read()).toEqual([]);
      expect(await bench.platform.find({ kind: "username", username: "nobody" })).toBeNull();
      const many = bench.platform.listChannels([ID, createChannelId(2)]);
      expect(await expectPlatformError(many)).toMatchObject({ failure: "unavailable" });
    },
  );

  it.each([
    ["invalid filters", ERRORS.invalid("invalidFilters", "id")],
    ["a missing parameter", ERRORS.missingParameter("part")],
  ])("does not repeat an invalid call: %s", async (_, answer) => {
    bench.server.faults.push(answer);
    const failure = await expectPlatformError(read());
    expect(failure).toMatchObject({
      failure: "unavailable",
      detail: expect.stringMatching(/finds the call inv/),
    });
    expect(bench.server.calls).toHaveLength(1);
  });

  describe("temporary failures", () => {
    it.each(["reset", "cut", ERRORS.backend, ERRORS.html, { status: 500, body: "" }] as const)(
      "retries %j at most twice with full jitter, one unit per try",
      async (trouble) => {
        bench.server.faults.push(trouble, trouble);
        expect(await read()).toHaveLength(1);
        expect(bench.server.calls).toHaveLength(3);
        expect(bench.waits).toEqual([500, 1000]);
        expect(await getGeneralUnits()).toMatchObject({ used: 3 });
        bench.server.faults.push(trouble, trouble, trouble);
        const failure = await expectPlatformError(read());
        expect(failure).toMatchObject({ failure: "unavailable", retryAfter: 60 });
        expect(bench.server.calls).toHaveLength(6);
      },
    );

    it("retries after a timeout", async () => {
      await bench.reset({ timeout: 300 });
      bench.server.show(ID);
      bench.server.faults.push("silence");
      expect(await read()).toHaveLength(1);
      bench.server.faults.push("silence", "silence", "silence");
      expect((await expectPlatformError(read())).detail).toBe("YouTube did not answer: TimeoutError");
    });

    it("retries when the connection is refused", async () => {
      await bench.reset({ url: "http://127.0.0.1:1" });
      const failure = await expectPlatformError(read());
      expect(failure).toMatchObject({ failure: "unavailable" });
      expect(failure.detail).toMatch(/^YouTube did not answer: /);
      expect(bench.waits).toHaveLength(2);
    });

    it("does not retry without units left", async () => {
      await Promise.all(Array.from({ length: 199 }, () => bench.ledger.spend("general", "run")));
      bench.server.faults.push(ERRORS.backend);
      expect(await expectPlatformError(read())).toMatchObject({ failure: "quota_exhausted" });
      expect(bench.server.calls).toHaveLength(1);
    });
  });

  it("keeps the key out of errors and log lines, even if YouTube repeats it", async () => {
    const { apiKey } = bench.server;
    const suspended = `Permission denied: Consumer 'api_key:${apiKey}' has been suspended.`;
    const texts: string[] = [];
    const troubles = [
      createError(403, "forbidden", suspended),
      createError(400, apiKey, suspended),
      createError(500, "backendError", `${suspended}\u0000\n<b>`),
      { status: 200, body: apiKey },
      { status: 418, body: apiKey },
      "reset" as const,
    ];
    for (const trouble of troubles) {
      await bench.reset();
      bench.server.failEvery = { every: 1, fault: trouble };
      const failure = await expectPlatformError(read());
      texts.push(...bench.logged, failure.detail, failure.message, failure.stack ?? "", JSON.stringify(failure));
    }
    expect(texts.join("\n")).not.toContain(apiKey);
    expect(texts.join("\n")).toContain("api_key:***");
    for (const text of texts) expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}|\\u0000/u);
  });
});
