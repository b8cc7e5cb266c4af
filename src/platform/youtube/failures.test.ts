import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { errorMessage } from "@/core/errors";
import { ManualClock, MINUTE } from "@/core/time";
import { channelId } from "@/test/platform";
import { type Answer, ERRORS, error } from "@/test/youtube-answers";
import { createYoutubeBench, type YoutubeBench } from "@/test/youtube-bench";
import { type PlatformError, PlatformError as PlatformErrorClass } from "../port";

const START = "2026-07-10T12:00:00Z";
const TO_MIDNIGHT = 19 * 3600;
const ID = channelId(1);

describe("YouTube failing", () => {
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

  const read = () => bench.platform.channels([ID]);
  const failureOf = async (work: Promise<unknown>): Promise<PlatformError> => {
    const thrown = await work.then(
      () => null,
      (caught) => caught,
    );
    if (thrown instanceof PlatformErrorClass) return thrown;
    throw new Error(`not a PlatformError: ${errorMessage(thrown)}`);
  };
  const general = async () => (await bench.ledger.spentUnits())[1];
  const search = async () => (await bench.ledger.spentUnits())[0];

  describe("tells the operator what to do", () => {
    it.each([
      ["a key it does not know", ERRORS.wrongKey, /^YouTube refuses YOUTUBE_API_KEY: set a valid API key/],
      ["the same in its older form", ERRORS.wrongKeyOfOld, /^YouTube refuses YOUTUBE_API_KEY: set a valid/],
      ["no key", ERRORS.missingKey, /^YouTube refuses YOUTUBE_API_KEY: set a valid API key/],
      [
        "an API that is not enabled",
        ERRORS.disabled,
        /^The YouTube Data API v3 is not enabled for YOUTUBE_API/,
      ],
      ["a restricted key", ERRORS.blocked, /^YOUTUBE_API_KEY is restricted: let it be used from this server/],
      [
        "a suspended project",
        ERRORS.suspended,
        /^YouTube refuses the Google Cloud project of YOUTUBE_API_KEY/,
      ],
      ["another refusal", ERRORS.forbidden, /^YouTube refuses the calls of YOUTUBE_API_KEY: see its Google/],
    ])("%s", async (_, answer, detail) => {
      bench.server.answerNext(answer);
      const failure = await failureOf(read());
      expect(failure).toMatchObject({ failure: "forbidden", retryAfter: 300, status: 503 });
      expect(failure.detail).toMatch(detail);
      expect(failure.message).not.toContain("YOUTUBE");
      expect(bench.logged.join()).toContain(failure.detail);
    });

    it("and asks nothing more for five minutes while it is refused", async () => {
      bench.server.answerNext(ERRORS.disabled);
      await failureOf(read());
      clock.advance(4 * MINUTE);
      expect(await failureOf(bench.platform.search("chess"))).toMatchObject({
        failure: "forbidden",
        retryAfter: 60,
      });
      expect(bench.server.calls).toHaveLength(1);
      clock.advance(MINUTE);
      expect(await read()).toHaveLength(1);
    });

    it("and no words of a client's that a message repeats are taken for its meaning", async () => {
      const words = "Quota exceeded per day, API key not valid, Requests are blocked, quotaExceeded";
      bench.server.answerNext(error(400, "invalidParameter", `Invalid value for q: ${words}`));
      const failure = await failureOf(bench.platform.search(words));
      expect(failure).toMatchObject({ failure: "unavailable", retryAfter: 60 });
      expect(await search()).toMatchObject({ exhausted: false });
      expect(await read()).toHaveLength(1);
    });

    it("but goes on asking where it is one call that is refused", async () => {
      bench.server.answerNext(ERRORS.forbidden);
      await failureOf(read());
      expect(await read()).toHaveLength(1);
    });

    it.each([
      ["HTML", { status: 200, body: "<!DOCTYPE html><p>Please log in" }],
      ["nothing", { status: 200, body: "" }],
      ["other JSON", { status: 200, body: '{"hello":"world"}' }],
      ["JSON that ends early", { status: 200, body: '{"kind":"youtube#channelListRes' }],
      ["a list that is none", { status: 200, body: '{"kind":"youtube#channelListResponse","items":5}' }],
      ["a list of something else", { status: 200, body: '{"kind":"youtube#videoListResponse"}' }],
      ["a way to somewhere else", { status: 302, body: "", headers: { Location: "http://127.0.0.1:1/" } }],
      ["a page that is not there", ERRORS.notFound],
    ] as [string, Answer][])("of an address that answers %s, at once", async (_, answer) => {
      bench.server.answerNext(answer);
      const failure = await failureOf(read());
      expect(failure).toMatchObject({ failure: "unavailable", retryAfter: 60 });
      expect(failure.detail).toMatch(/YOUTUBE_API_URL/);
      expect(bench.server.calls).toHaveLength(1);
    });
  });

  it("hands the key to nobody it is sent on to", async () => {
    const keys: unknown[] = [];
    const elsewhere = createServer((request, response) => {
      keys.push(request.headers["x-goog-api-key"]);
      response.end("{}");
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => elsewhere.once("listening", resolve));
    const { port } = elsewhere.address() as AddressInfo;
    bench.server.answerNext({ status: 307, body: "", headers: { Location: `http://127.0.0.1:${port}/` } });
    await failureOf(read());
    elsewhere.close();
    expect(keys).toEqual([]);
  });

  describe("for the day", () => {
    it.each([
      ["403 quotaExceeded", ERRORS.quotaExceeded],
      ["403 dailyLimitExceeded", ERRORS.dailyLimitExceeded],
      ["a reason alone, in a text of another", error(403, "quotaExceeded", "")],
      ["429 per day", error(429, "rateLimitExceeded", "Quota exceeded for limit 'Queries per day'")],
    ])("until midnight in Los Angeles, and is not asked again before: %s", async (_, answer) => {
      bench.server.answerNext(answer);
      expect(await failureOf(read())).toMatchObject({
        failure: "quota_exhausted",
        retryAfter: TO_MIDNIGHT,
        detail: expect.stringMatching(/^The day's quota of YOUTUBE_API_KEY is used up until midnight/),
      });
      expect(await general()).toMatchObject({ used: 1, exhausted: true });
      expect(await search()).toMatchObject({ exhausted: false });
      clock.advance(TO_MIDNIGHT * 1000 - 1);
      expect(await failureOf(read())).toMatchObject({ failure: "quota_exhausted", retryAfter: 1 });
      expect(bench.server.calls).toHaveLength(1);
      clock.advance(1);
      expect(await read()).toHaveLength(1);
    });

    it("in its searches alone: a 429 that means the day leaves channels to be read", async () => {
      bench.server.allow({ search: 1 });
      await bench.platform.search("chess");
      expect(await failureOf(bench.platform.search("cooking"))).toMatchObject({
        failure: "quota_exhausted",
        retryAfter: TO_MIDNIGHT,
      });
      expect([await search(), await general()]).toMatchObject([
        { used: 2, exhausted: true },
        { used: 0, exhausted: false },
      ]);
      expect(await read()).toHaveLength(1);
    });

    it("in the bucket its message names, whichever was asked", async () => {
      const message = "Quota exceeded for quota metric 'Queries' and limit 'Queries per day' of service";
      bench.server.answerNext(error(429, "rateLimitExceeded", message));
      await failureOf(bench.platform.search("chess"));
      expect([await search(), await general()]).toMatchObject([{ exhausted: false }, { exhausted: true }]);
    });

    it("where a search finds channels that could not be read, without spending it", async () => {
      await Promise.all(Array.from({ length: 200 }, () => bench.ledger.spend("general", false)));
      expect(await failureOf(bench.platform.search("chess"))).toMatchObject({
        failure: "quota_exhausted",
        retryAfter: TO_MIDNIGHT,
        detail: "the day's units of YouTube's quota are used up",
      });
      expect(bench.server.calls).toEqual([]);
      expect(await search()).toMatchObject({ used: 0 });
    });

    it("by our own count, without asking", async () => {
      await Promise.all(Array.from({ length: 100 }, () => bench.ledger.spend("search", false)));
      expect(await failureOf(bench.platform.search("chess"))).toMatchObject({
        failure: "quota_exhausted",
        retryAfter: TO_MIDNIGHT,
        detail: "the day's searches of YouTube's quota are used up",
      });
      expect(bench.server.calls).toEqual([]);
    });
  });

  it.each([
    ["429 per minute", ERRORS.perMinute, 60],
    ["403 rateLimitExceeded", ERRORS.rateLimit, 60],
    ["429 with a Retry-After", { ...ERRORS.perMinute, headers: { "Retry-After": "7" } }, 7],
    ["429 with one that is a date", { ...ERRORS.rateLimit, headers: { "Retry-After": "Mon" } }, 60],
    ["429 with one that is too long", { ...ERRORS.rateLimit, headers: { "Retry-After": "999999" } }, 3600],
    ["429 that says nothing", { status: 429, body: "slow down" }, 60],
  ] as [string, Answer, number][])("for a moment, and is left alone: %s", async (_, answer, retryAfter) => {
    bench.server.answerNext(answer);
    expect(await failureOf(read())).toMatchObject({ failure: "rate_limited", retryAfter });
    expect(bench.server.calls).toHaveLength(1);
    expect(await general()).toMatchObject({ used: 1, exhausted: false });
  });

  it.each([ERRORS.channelNotFound, error(403, "channelClosed", ""), error(403, "channelSuspended", "")])(
    "of one channel is the answer that there is none, of many no answer at all: %j",
    async (answer) => {
      bench.server.answerNext(answer, answer, answer);
      expect(await read()).toEqual([]);
      expect(await bench.platform.find({ kind: "username", username: "nobody" })).toBeNull();
      const many = bench.platform.channels([ID, channelId(2)]);
      expect(await failureOf(many)).toMatchObject({ failure: "unavailable" });
    },
  );

  it.each([
    ["invalid filters", ERRORS.invalid("invalidFilters", "id")],
    ["a missing parameter", ERRORS.missingParameter("part")],
  ])("does not repeat a call that it finds invalid: %s", async (_, answer) => {
    bench.server.answerNext(answer);
    const failure = await failureOf(read());
    expect(failure).toMatchObject({
      failure: "unavailable",
      detail: expect.stringMatching(/finds the call inv/),
    });
    expect(bench.server.calls).toHaveLength(1);
  });

  const MANY = Array.from({ length: 300_000 }, () => 0);
  it.each([
    ["message", 400, { error: { message: "<".repeat(400_000) } }],
    ["reason", 403, { error: { errors: [{ reason: "API_KEY_".repeat(50_000) }] } }],
    ["list of reasons", 403, { error: { message: "No", details: MANY } }],
    ["list of channels", 200, { kind: "youtube#channelListResponse", items: MANY }],
    ["list of found videos", 200, { kind: "youtube#searchListResponse", items: MANY }],
    ["page token", 200, { kind: "youtube#channelListResponse", nextPageToken: "x".repeat(400_000) }],
  ])("keeps nobody waiting by the length of its %s", async (_, status, answer) => {
    bench.server.answerEvery(1, { status, body: JSON.stringify(answer) });
    const failure = await failureOf(status === 200 ? bench.platform.search("chess") : read());
    expect(["unavailable", "forbidden"]).toContain(failure.failure);
    expect(failure.detail.length).toBeLessThan(500);
    if (status === 200) expect(await failureOf(read())).toMatchObject({ failure: "unavailable" });
  });

  describe("in passing", () => {
    it.each(["reset", "cut off", ERRORS.backend, ERRORS.html, { status: 500, body: "" }] as const)(
      "is asked again, at most twice, with full jitter, each try for a unit: %j",
      async (trouble) => {
        bench.server.answerNext(trouble, trouble);
        expect(await read()).toHaveLength(1);
        expect(bench.server.calls).toHaveLength(3);
        expect(bench.waits).toEqual([500, 1000]);
        expect(await general()).toMatchObject({ used: 3 });
        bench.server.answerNext(trouble, trouble, trouble);
        const failure = await failureOf(read());
        expect(failure).toMatchObject({ failure: "unavailable", retryAfter: 60 });
        expect(bench.server.calls).toHaveLength(6);
      },
    );

    it("is asked again after it did not answer in time", async () => {
      await bench.reset({ timeout: 50 });
      bench.server.show(ID);
      bench.server.answerNext("silence");
      expect(await read()).toHaveLength(1);
      bench.server.answerNext("silence", "silence", "silence");
      expect((await failureOf(read())).detail).toBe("YouTube gave no whole answer within 50 ms");
    });

    it("is asked again where nobody listens", async () => {
      await bench.reset({ url: "http://127.0.0.1:1" });
      const failure = await failureOf(read());
      expect(failure).toMatchObject({ failure: "unavailable" });
      expect(failure.detail).toMatch(/^YouTube gave no whole answer: /);
      expect(bench.waits).toHaveLength(2);
    });

    it("is not read to the end where there is none in sight", async () => {
      bench.server.answerEvery(1, { status: 200, body: " ".repeat(5_000_000) });
      expect((await failureOf(read())).detail).toMatch(/the answer is longer than \d+ bytes$/);
    });

    it("is not asked again once the units are gone", async () => {
      await Promise.all(Array.from({ length: 199 }, () => bench.ledger.spend("general", false)));
      bench.server.answerNext(ERRORS.backend);
      expect(await failureOf(read())).toMatchObject({ failure: "quota_exhausted" });
      expect(bench.server.calls).toHaveLength(1);
    });
  });

  it("never has the key in an error or a log line, even where it repeats the key itself", async () => {
    const { apiKey } = bench.server;
    const suspended = `Permission denied: Consumer 'api_key:${apiKey}' has been suspended.`;
    const texts: string[] = [];
    const troubles = [
      error(403, "forbidden", suspended),
      error(400, apiKey, suspended),
      error(500, "backendError", `${suspended}\u0000\n<b>`),
      { status: 200, body: apiKey },
      { status: 418, body: apiKey },
      "reset" as const,
    ];
    for (const trouble of troubles) {
      await bench.reset();
      bench.server.answerEvery(1, trouble);
      const failure = await failureOf(read());
      texts.push(
        ...bench.logged,
        failure.detail,
        failure.message,
        failure.stack ?? "",
        JSON.stringify(failure),
      );
    }
    expect(texts.join("\n")).not.toContain(apiKey);
    expect(texts.join("\n")).toContain("api_key:***");
    // Nor does a text of somebody else's break a line or a column of the database.
    for (const text of texts) expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}|\\u0000/u);
  });
});
