import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { trackUnread } from "@/features/creators/service";
import { PlatformError } from "@/platform/port";
import { installContext } from "@/server/context";
import { CLIENT_TYPES, generateClientTypes } from "@/test/client-types";
import { createChannelId } from "@/test/platform";
import { answer } from "@/test/request";
import { createKey, TEST_START, type TestKey, useService } from "@/test/service";
import { ApiError, type Change, createGrowthClient, type GrowthClientOptions } from "./client";

it("client types match the current document; if not, run `npm run tools -- client:types`", async () => {
  expect(readFileSync(CLIENT_TYPES, "utf8")).toBe(await generateClientTypes());
});

describe("API client", () => {
  const service = useService();
  const HANDLE = "@juniperfivecrits";
  let key: TestKey;
  let requestCount: number;
  let waited: number[];

  beforeEach(async () => {
    service.clock.set(TEST_START);
    key = await createKey(service);
    requestCount = 0;
    waited = [];
    installContext(service);
  });

  const createClient = (options: Partial<GrowthClientOptions> = {}) =>
    createGrowthClient({
      baseUrl: "http://growth.test",
      apiKey: key.secret,
      fetch: (request) => {
        requestCount++;
        return answer(request);
      },
      wait: async (seconds) => {
        waited.push(seconds);
        service.clock.advance(seconds * 1000);
      },
      ...options,
    });
  const catchFailure = (call: Promise<unknown>): Promise<ApiError> =>
    call.then(
      () => Promise.reject(new Error("it did not fail")),
      (error) => error,
    );
  /** Makes the platform fail the given number of times. */
  const failPlatform = (times: number, retryAfter: number) => {
    let left = times;
    const find: typeof service.platform.find = (reference) =>
      left-- > 0
        ? Promise.reject(new PlatformError("rate_limited", "too fast", retryAfter))
        : service.platform.find(reference);
    installContext({ ...service, platform: { ...service.platform, find } });
  };

  it("discovers, tracks, lists and untracks", async () => {
    const growth = createClient();
    const { creators } = await growth.discover({ niche: "gaming", limit: 3 });
    expect(creators).toHaveLength(3);
    const { creator } = await growth.track(HANDLE);
    expect(creator.handle).toBe(HANDLE);
    expect((await growth.history(creator.channel_id)).history).toHaveLength(1);
    expect((await growth.untrack(creator.channel_id)).channel_id).toBe(creator.channel_id);
    expect((await growth.health()).database).toBe("ok");
    expect(await growth.usage()).toMatchObject({ requests_today: 5, tier: "free" });
  });

  it("tracks a list of any length, with one request per fifty channels", async () => {
    const growth = createClient();
    const results = await growth.trackMany(["no channel", ...Array.from({ length: 50 }, () => HANDLE)]);
    const creator = expect.objectContaining({ handle: HANDLE });
    const refused = { input: "no channel", code: "not_a_channel", error: expect.any(String) };
    expect(results).toEqual([refused, ...Array.from({ length: 50 }, () => ({ input: HANDLE, creator }))]);
    expect(requestCount).toBe(2);
    expect(await growth.tracked(HANDLE)).toEqual(creator);
  });

  it("sets, returns and clears the alert address", async () => {
    const growth = createClient();
    expect((await growth.setAlertEmail("scout@example.com")).email).toBe("scout@example.com");
    expect(await growth.alertEmail()).toBe("scout@example.com");
    await growth.clearAlertEmail();
    expect(await growth.alertEmail()).toBeNull();
  });

  it("iterates over all pages of a list, and requests each only when needed", async () => {
    const ids = Array.from({ length: 230 }, (_, number) => createChannelId(number));
    await trackUnread(service, key.id, ids);
    const found: string[] = [];
    for await (const { channel_id } of createClient().trackedCreators()) {
      found.push(channel_id);
      if (found.length === 100) expect(requestCount).toBe(1);
    }
    expect(found.sort()).toEqual(ids);
    expect(requestCount).toBe(3);
  });

  it("iterates over nothing for an empty list", async () => {
    for await (const alert of createClient().alerts()) expect.fail(`there is an alert: ${alert.message}`);
    expect(requestCount).toBe(1);
  });

  it("refuses to be created without a key or an address, with a clear message", () => {
    for (const apiKey of [undefined, ""])
      expect(() => createClient({ apiKey })).toThrow("apiKey is missing. Set it to your API key.");
    expect(() => createClient({ baseUrl: "" })).toThrow("baseUrl is missing. Set it to the address of the service.");
  });

  it("yields each change once, resumes after any of them, and ends with the latest", async () => {
    const ids = Array.from({ length: 230 }, (_, number) => createChannelId(number));
    await trackUnread(service, key.id, ids);
    const growth = createClient({ baseUrl: "http://growth.test/" });
    const seen: Change[] = [];
    const read = async (max: number) => {
      for await (const change of growth.changes(seen.at(-1)?.cursor)) {
        expect(change.type).toBe("tracked");
        if (seen.push(change) === max) break;
      }
    };
    await read(42);
    await read(43);
    expect([seen.length, requestCount]).toEqual([43, 2]);
    await read(1000);
    expect(seen.map(({ channel_id }) => channel_id).sort()).toEqual(ids);
    await read(1000);
    expect([seen.length, requestCount]).toEqual([230, 5]);
  });

  it("cancels a request or a wait when the caller aborts", async () => {
    const reason = new Error("changed my mind");
    const aborted = { signal: AbortSignal.abort(reason) };
    const hangUntilAborted = (request: Request) =>
      new Promise<Response>((_, reject) => {
        const abort = () => reject(request.signal.reason);
        if (request.signal.aborted) abort();
        request.signal.addEventListener("abort", abort);
      });
    await expect(createClient({ fetch: hangUntilAborted }).usage(aborted)).rejects.toBe(reason);
    await expect(createClient({ fetch: hangUntilAborted }).alerts({}, aborted).next()).rejects.toBe(reason);
    const controller = new AbortController();
    failPlatform(9, 20);
    const waiting = createClient({ wait: undefined }).track(HANDLE, controller);
    await expect.poll(() => requestCount).toBe(1);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(requestCount).toBe(1);
  });

  it("throws one error class with status, request id and body", async () => {
    const failure = await catchFailure(createClient().discover({ niche: "gaming", limit: 0 }));
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({
      status: 400,
      message: "limit is 0; it must be 1 to 50",
      body: { issues: [{ field: "limit", message: "must be 1 to 50" }] },
      requestId: expect.stringMatching(/^req_/),
    });
    expect((await catchFailure(createClient({ apiKey: "cg_wrong" }).usage())).status).toBe(401);
    expect(requestCount).toBe(2);
  });

  it("waits as long as a 503 says and sends the same request again with its body", async () => {
    failPlatform(2, 20);
    expect((await createClient().track(HANDLE)).creator.handle).toBe(HANDLE);
    expect(waited).toEqual([20, 20]);
  });

  it("gives up after the given number of retries, and immediately when the wait would be too long", async () => {
    failPlatform(9, 20);
    expect(await catchFailure(createClient({ retries: 1 }).track(HANDLE))).toMatchObject({
      status: 503,
      retryAfter: 20,
    });
    expect(waited).toEqual([20]);
    expect((await catchFailure(createClient({ maxWaitSeconds: 19 }).track(HANDLE))).status).toBe(503);
    expect(waited).toEqual([20]);
  });

  it("waits for the next day only when configured", async () => {
    await Promise.all(Array.from({ length: 50 }, () => service.quota.take(key.id, 50)));
    const failure = await catchFailure(createClient().usage());
    expect(failure).toMatchObject({
      status: 429,
      retryAfter: 43_200,
      body: { tier: "free", limit: 50, used: 50 },
    });
    expect(waited).toEqual([]);
    expect((await createClient({ maxWaitSeconds: 86_400 }).usage()).requests_today).toBe(1);
    expect(waited).toEqual([43_200]);
  });

  it("sends its key to no address of a redirect", async () => {
    const sendRedirect = async ({ redirect }: Request) => {
      requestCount++;
      return new Response(null, { status: redirect === "follow" ? 200 : 307 });
    };
    const failure = await catchFailure(createClient({ fetch: sendRedirect }).usage());
    expect([failure.status, requestCount]).toEqual([307, 1]);
  });

  it("throws its error for a response that another server gave", async () => {
    const sendPage = async () => new Response("<h1>Bad gateway</h1>", { status: 502 });
    const failure = await catchFailure(createClient({ fetch: sendPage }).usage());
    const message = "The service responded 502";
    expect(failure).toMatchObject({ status: 502, requestId: null, message, body: { error: message } });
    expect(waited).toEqual([1, 2]);
    const sendPortalPage = async () => new Response("<h1>Sign in</h1>", { headers: { "Content-Type": "text/html" } });
    expect((await catchFailure(createClient({ fetch: sendPortalPage }).usage())).message).toBe(
      "The service responded 200 without JSON",
    );
  });

  it.each([
    ["a refused connection", new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } }), " (ECONNREFUSED)"],
    ["a network failure without a code", new TypeError("Load failed"), ""],
  ])("retries %s with growing waits, and throws its error with a plain message", async (_, failure, code) => {
    const fail = () => Promise.reject(failure);
    const error = await catchFailure(createClient({ fetch: fail, retries: 3 }).track(HANDLE));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 0, message: `The service could not be reached${code}`, retryAfter: null });
    expect(waited).toEqual([1, 2, 4]);
  });

  it.each([502, 503, 504])("retries %i from a proxy, and returns the answer that follows", async (status) => {
    let failures = 2;
    const fetch = (request: Request) =>
      failures-- > 0 ? Promise.resolve(new Response("<h1>No</h1>", { status })) : answer(request);
    expect((await createClient({ fetch }).usage()).requests_today).toBe(1);
    expect(waited).toEqual([1, 2]);
  });

  it("retries a response that breaks off or does not come in time", async () => {
    const breakOff = async () => {
      const pull = (controller: ReadableStreamDefaultController) => controller.error(new TypeError("terminated"));
      return new Response(new ReadableStream({ pull }), { headers: { "Content-Type": "application/json" } });
    };
    const cut = await catchFailure(createClient({ fetch: breakOff }).usage());
    expect(cut).toMatchObject({ status: 0, message: "The service could not be reached" });
    const hang = ({ signal }: Request) =>
      new Promise<Response>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const late = await catchFailure(createClient({ fetch: hang, timeoutSeconds: 0.001 }).usage());
    expect(late).toMatchObject({ status: 0, message: "No response within 0.001 seconds" });
    expect(waited).toEqual([1, 2, 1, 2]);
  });

  it("passes filters of lists, with booleans as booleans", async () => {
    const asked: string[] = [];
    const fetch = (request: Request) => {
      asked.push(new URL(request.url).search);
      return answer(request);
    };
    const growth = createClient({ fetch });
    await growth.discover({ niche: "gaming", rising: true });
    for await (const _ of growth.alerts({ severity: "SURGING", min_percent: 20 })) expect.fail("there is an alert");
    for await (const _ of growth.trackedCreators({ level: "RISING" })) expect.fail("there is a creator");
    for await (const _ of growth.trackedCreators({ sort: "-score" })) expect.fail("there is a creator");
    expect(asked).toEqual([
      "?niche=gaming&rising=true",
      "?severity=SURGING&min_percent=20&offset=0&limit=100",
      "?level=RISING&after=&limit=100",
      "?sort=-score&offset=0&limit=100",
    ]);
  });

  it("reads any creator, niches, usage and requests, and mutes", async () => {
    const growth = createClient();
    expect(await growth.creator(HANDLE)).toMatchObject({ creator: { handle: HANDLE }, is_tracked: false });
    expect((await growth.niches()).groups).toEqual(expect.any(Array));
    const { creator } = await growth.track(HANDLE);
    expect((await growth.mute(HANDLE)).is_muted).toBe(true);
    const muted: string[] = [];
    for await (const { channel_id } of growth.mutedCreators()) muted.push(channel_id);
    expect(muted).toEqual([creator.channel_id]);
    expect((await growth.unmute(HANDLE)).is_muted).toBe(false);
    expect((await growth.usageByDay()).days).toHaveLength(30);
    await service.requests.flush();
    expect((await growth.usageByEndpoint()).endpoints).toContainEqual({
      method: "GET",
      endpoint: "/api/niches",
      status: 200,
      requests: 1,
    });
    expect((await growth.listRequests({ method: "DELETE" })).requests).toHaveLength(1);
  });
});
