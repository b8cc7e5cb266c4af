import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { toChunks } from "@/core/parallel";
import { DAY, toUtcDay } from "@/core/time";
import { channels, dailyAllowances, snapshots, trackedCreators } from "@/db/schema";
import { TIERS } from "@/db/values";
import { TIER_RULES } from "@/features/usage/tiers.rules";
import { createChannelId } from "@/test/platform";
import { send } from "@/test/request";
import { createKey, TEST_START, type TestKey, useService } from "@/test/service";
import { ERRORS } from "@/test/youtube-answers";
import { startYoutubeServer, type YoutubeServer } from "@/test/youtube-server";
import { readList } from "./list.rules";
import { getLookupAllowance } from "./lookups.service";
import { previewChannels } from "./preview.service";

const toHandle = (number: number) => `@maker.${number}`;
const toUrl = (number: number) => `https://www.youtube.com/channel/${createChannelId(number)}`;
const USED_UP = /^YouTube's daily quota is used up\. Try again after \d\d:\d\d UTC\.$/;
const FAULT = { code: "unavailable", error: expect.stringMatching(USED_UP) };
const NO_SUCH = { code: "not_found", error: "Channel not found on the platform" };
interface Sent {
  input: string;
}
const createRange = (count: number) => Array.from({ length: count }, (_, number) => number);

describe("lists of channels", () => {
  let server: YoutubeServer;
  beforeAll(async () => {
    server = await startYoutubeServer();
  });
  const createVariables = () => ({ YOUTUBE_API_KEY: server.apiKey, YOUTUBE_API_URL: server.url });
  const service = useService({ variables: createVariables });
  afterAll(() => server.stop());
  let key: TestKey;

  beforeEach(async () => {
    server.reset();
    for (const number of createRange(60)) server.show(createChannelId(number), { handle: toHandle(number) });
    service.clock.set(TEST_START);
    for (const table of [trackedCreators, snapshots, channels, dailyAllowances]) await service.db.delete(table);
    key = await createKey(service);
  });

  const post = (body: object, { secret } = key) => send("/api/track", { key: secret, method: "POST", body });
  const track = (...channel_ids: unknown[]) => post({ channel_ids });
  const expectTracked = (number: number) => ({
    input: expect.any(String),
    creator: expect.objectContaining({ channel_id: createChannelId(number) }),
  });
  const expectAnswer = (number: number, input: string) => ({ ...expectTracked(number), input });
  const preview = (...names: string[]) => previewChannels(service, key.id, names);
  const readLookups = async ({ id } = key) => (await getLookupAllowance(service, id)).lookups_today;
  const useUp = ({ id, tier } = key, left = 0) =>
    service.db.insert(dailyAllowances).values({
      scope: id,
      keyId: id,
      kind: "lookup",
      day: toUtcDay(service.clock.now()),
      used: TIER_RULES[tier].lookupsPerDay - left,
    });

  describe("POST /api/track with channel_ids", () => {
    it("returns results in the order sent, with an error per channel that cannot be tracked", async () => {
      const { status, body, headers } = await track(
        toHandle(3),
        "vimeo.com/@maker",
        toUrl(1),
        "@nobody",
        createChannelId(2),
      );
      expect(status).toBe(200);
      expect(headers.get("X-RateLimit-Remaining")).toBe("49");
      const foreign = {
        code: "not_a_channel",
        error: "This is a page of vimeo.com: only channels of YouTube can be tracked",
      };
      const results = [
        expectAnswer(3, toHandle(3)),
        { input: "vimeo.com/@maker", ...foreign },
        expectAnswer(1, toUrl(1)),
        { input: "@nobody", ...NO_SUCH },
        expectAnswer(2, createChannelId(2)),
      ];
      const message = "Now tracking 3 creators: 3 new, 1 not found, 1 not a channel";
      expect(body).toEqual({ status: "ok", message, results });
      expect((await track("@nobody")).body.message).toBe("Now tracking 0 creators: 1 not found");
    });

    it("counts each creator once, new or already tracked", async () => {
      await track(createChannelId(1), createChannelId(2));
      const { body } = await track(
        toHandle(1),
        toUrl(2),
        toHandle(2),
        createChannelId(3),
        "@nobody",
        "@nobody.else",
        "a b",
      );
      expect(body.message).toBe("Now tracking 3 creators: 1 new, 2 already tracked, 2 not found, 1 not a channel");
    });

    it("tracks 562 lines with 294 repeats by one call for each 50 ids, all of which it names", async () => {
      const lines = createRange(562).map((line) => toUrl(line % 268));
      for (const number of createRange(268)) server.show(createChannelId(number));
      const names = readList(lines.join("\n")).entries.flatMap((entry) => ("name" in entry ? [entry.name] : []));
      expect(names).toHaveLength(268);
      const parts = toChunks(names, 50);
      for (const part of parts)
        expect((await track(...part)).body.results.map(({ input }: Sent) => input)).toEqual(part);
      expect(server.calls).toHaveLength(6);
      expect(await service.db.$count(trackedCreators)).toBe(268);
    });

    it("tracks each creator once when a list is sent twice, or at once in another order", async () => {
      const names = createRange(20).map((number) => (number % 2 ? toHandle(number) : createChannelId(number)));
      const [first, second] = await Promise.all([track(...names), track(...names.toReversed())]);
      service.clock.advance(DAY);
      expect((await track(...names)).body.message).toBe("Now tracking 20 creators: 20 already tracked");
      expect(first.body.results).toEqual(createRange(20).map(expectTracked));
      const messages = [first.body.message, second.body.message].map((message) => message.replace(/^.*: /, ""));
      expect(messages.toSorted()).toEqual(["20 already tracked", "20 new"]);
      expect(await service.db.$count(trackedCreators)).toBe(20);
    });

    it("tells channels apart whose ids differ only in case", async () => {
      const ids = ["UCcaseABCDEFGHIJKLMNOPQR", "UCcaseabcdefghijklmnopqr"];
      for (const id of ids) server.show(id, { name: id });
      const { body } = await track(...ids, "UCcaseABCDEFGHIJKLMNOPQr");
      expect(body.results).toMatchObject([...ids.map((id) => ({ creator: { name: id } })), { code: "not_found" }]);
    });

    it("accepts one channel several times, for one unit per name", async () => {
      const { body } = await track(toHandle(1), toHandle(1).toUpperCase(), createChannelId(1), toUrl(1));
      expect(body.results).toEqual([expectTracked(1), expectTracked(1), expectTracked(1), expectTracked(1)]);
      expect(server.calls).toHaveLength(2);
    });

    it.each([
      ["ids cost one unit", createChannelId, 1, 0],
      ["handles cost one unit each", toHandle, 50, 50],
    ])("tracks 50 creators at once: %s", async (_, name, units, used) => {
      const { body } = await track(...createRange(50).map(name));
      expect(body.results).toEqual(createRange(50).map(expectTracked));
      expect(server.calls).toHaveLength(units);
      expect(await readLookups()).toBe(used);
    });

    it("tracks the other channels of a list when the platform's answer about one is odd", async () => {
      const ids = createRange(3).map(createChannelId);
      server.show(createChannelId(1), { item: { statistics: undefined } });
      const { body } = await track(...ids);
      const tracked = { creator: expect.anything() };
      const unread = { error: "The platform's answer about this channel could not be read. Try again later." };
      expect(body.results).toMatchObject([tracked, unread, tracked]);
    });

    it("stops at the first platform fault and gives back the look-ups it did not make", async () => {
      server.faults.push(null, ...createRange(41).map(() => ERRORS.quotaExceeded));
      const { status, body } = await track(createChannelId(50), ...createRange(40).map(toHandle));
      expect(status).toBe(200);
      expect(body.message).not.toContain("Now tracking 0");
      // Five calls are under way at once.
      const faults = createRange(40)
        .slice(5)
        .map((number) => ({ input: toHandle(number), ...FAULT }));
      expect(body.results.slice(6)).toEqual(faults);
      expect(await readLookups()).toBeLessThanOrEqual(5);
    });

    it("answers 503 when a platform fault leaves no result", async () => {
      server.faults.push(ERRORS.quotaExceeded);
      const { status, headers } = await track(createChannelId(1), "no channel");
      expect([status, headers.get("Retry-After")]).toEqual([503, String(19 * 3600)]);
    });

    it.each([
      [{ channel_ids: [] }, "channel_ids"],
      [{ channel_ids: createRange(51).map(toHandle) }, "channel_ids"],
      [{ channel_ids: toHandle(1) }, "channel_ids"],
      [{ channel_ids: [toHandle(1), 5] }, "channel_ids.1"],
      [{ channel_ids: [null] }, "channel_ids.0"],
      [{}, "channel_id"],
      [{ channel_id: toHandle(1), channel_ids: [toHandle(1)] }, "channel_id"],
    ])("answers 400 to %j", async (body, field) => {
      const refused = await post(body);
      expect([refused.status, refused.body.issues[0].field]).toEqual([400, field]);
      expect(refused.body.error).toContain("channel_ids");
      expect(refused.body.error.includes("list")).toBe(field === "channel_ids");
      expect(server.calls).toEqual([]);
    });
  });

  describe("custom URL", () => {
    const GUESS = "https://www.youtube.com/c/Maker.1";
    const ANSWER = { resolved_from: GUESS, certain: false };

    it("is refused with the handle that is guessed, before anything is looked up or tracked", async () => {
      const single = await post({ channel_id: GUESS });
      expect(single.status).toBe(400);
      expect(single.body).toMatchObject({ ...ANSWER, resolved_to: "@Maker.1", issues: [{ field: "channel_id" }] });
      expect(single.body.error).toContain("guess");
      const { results, message } = (await track(GUESS, createChannelId(2))).body;
      const error = expect.stringContaining("Send @Maker.1");
      const refused = { input: GUESS, code: "guess", error, ...ANSWER, resolved_to: "@Maker.1" };
      expect(results).toEqual([refused, expectTracked(2)]);
      expect(message).toBe("Now tracking 1 creator: 1 new, 1 guess to confirm");
      expect(await readLookups()).toBe(0);
    });

    it("is tracked by its name when the client accepts a guess, and the answer says that it is one", async () => {
      const { body } = await post({ channel_id: GUESS, accept_guess: true });
      expect(body).toMatchObject({ creator: { channel_id: createChannelId(1) }, ...ANSWER });
      expect(body.message).toContain("a guess by the name in https://www.youtube.com/c/Maker.1");
      const list = await post({ channel_ids: ["youtube.com/Maker.1", "youtube.com/Nobody"], accept_guess: true });
      expect(list.body.results).toMatchObject([
        { creator: { channel_id: createChannelId(1) }, resolved_from: "youtube.com/Maker.1", certain: false },
        { code: "not_found", resolved_from: "youtube.com/Nobody", certain: false },
      ]);
    });

    it("finds nothing in a path", async () => {
      await post({ channel_id: createChannelId(1) });
      const path = `/api/track/${encodeURIComponent(GUESS)}`;
      for (const method of ["GET", "DELETE"] as const)
        expect((await send(path, { key: key.secret, method })).status).toBe(404);
    });
  });

  it("asks the platform about handles of one character and with a full-width @", async () => {
    server.show(createChannelId(1), { handle: "@猫" });
    server.show(createChannelId(2), { handle: "@一二" });
    const { body } = await track(
      "@猫",
      "https://www.youtube.com/@%E4%B8%80%E4%BA%8C",
      "＠maker.3",
      "youtube.com/＠maker.4",
    );
    expect(body.results).toEqual([1, 2, 3, 4].map(expectTracked));
    expect((await track("@ab")).body.results).toMatchObject([{ code: "not_a_channel" }]);
  });

  describe("daily look-ups", () => {
    it.each(TIERS)("limits the handles, but not the ids, that a %s key may look up in a UTC day", async (tier) => {
      key = await createKey(service, tier);
      await useUp(key, 2);
      const { body } = await track(toHandle(1), createChannelId(4), toHandle(2), toHandle(3));
      const spent = {
        input: toHandle(3),
        code: "lookups_used_up",
        error: expect.stringContaining(`its ${TIER_RULES[tier].lookupsPerDay.toLocaleString("en")} look-ups`),
      };
      expect(body.results).toEqual([expectTracked(1), expectTracked(4), expectTracked(2), spent]);
      const single = await post({ channel_id: toHandle(3) });
      expect([single.status, single.body.issues]).toEqual([400, [{ field: "channel_id", message: single.body.error }]]);
      expect((await post({ channel_id: createChannelId(3) })).status).toBe(200);
      expect((await post({ channel_id: toHandle(3) }, await createKey(service))).status).toBe(200);
      service.clock.advance(DAY);
      expect((await post({ channel_id: toHandle(3) })).status).toBe(200);
    });

    it("shares the remaining look-ups among parallel requests", async () => {
      await useUp(key, 10);
      const lists = createRange(5).map((list) => track(...createRange(4).map((number) => toHandle(4 * list + number))));
      const results = (await Promise.all(lists)).flatMap(({ body }) => body.results);
      expect(results.filter((result) => "creator" in result)).toHaveLength(10);
      expect(await readLookups()).toBe(100);
    });
  });

  describe("preview of channels", () => {
    it("shows each channel and whether the key tracks it, without counting a request", async () => {
      server.show(createChannelId(1), { name: "Maker 🎮", hidden: true });
      await track(createChannelId(1));
      const { results } = await preview(toUrl(1), "no channel", toHandle(2), "@nobody", "youtube.com/c/Maker.2");
      const { name, counts, is_tracked } = { name: "Maker 🎮", counts: "hidden", is_tracked: true };
      const first = {
        channel: expect.objectContaining({ channel_id: createChannelId(1), name, counts, is_tracked }),
      };
      const other = { channel: expect.objectContaining({ handle: toHandle(2), is_tracked: false }) };
      const malformed = { code: "not_a_channel", error: expect.stringContaining("Must be a channel id") };
      expect(results).toEqual([first, malformed, other, NO_SUCH, other]);
      expect(await service.quota.getUsed(key.id)).toBe(1);
      expect(await service.db.$count(trackedCreators)).toBe(1);
    });

    it("uses one look-up for all ids and one per handle, none for channels read within a day", async () => {
      const ids = createRange(30).map(createChannelId);
      const measureCost = async () => (await preview(...ids, toHandle(40), toHandle(1).toUpperCase())).lookups_today;
      expect(await measureCost()).toBe(3);
      expect(await measureCost()).toBe(3);
      service.clock.advance(DAY + 1);
      expect(await measureCost()).toBe(3);
      expect(await preview(...ids)).toMatchObject({ lookups_today: 3, lookups_limit: 100 });
    });

    it("refuses handles when no look-up is left, and still shows known channels and ids", async () => {
      await track(createChannelId(1));
      await useUp();
      const { results, ...allowance } = await preview(toHandle(1), toHandle(2), createChannelId(3));
      const spent = { code: "lookups_used_up", error: expect.stringContaining("100 look-ups") };
      const unread = {
        channel: expect.objectContaining({ channel_id: createChannelId(3), counts: "unread" }),
      };
      expect(results).toEqual([{ channel: expect.anything() }, spent, unread]);
      expect(allowance).toEqual({ lookups_today: 100, lookups_limit: 100 });
    });

    it("fails as a whole when a platform fault leaves nothing to show, otherwise line by line", async () => {
      await track(createChannelId(1));
      server.faults.push(ERRORS.quotaExceeded);
      await expect(preview(createChannelId(3))).rejects.toMatchObject({ code: "unavailable" });
      expect((await preview(createChannelId(1), toHandle(2))).results).toEqual([{ channel: expect.anything() }, FAULT]);
    });
  });

  describe("tracked creator", () => {
    const names = [
      createChannelId(1),
      toHandle(1),
      toHandle(1).toUpperCase(),
      toUrl(1),
      `youtube.com/${toHandle(1)}/videos`,
    ];
    const toPath = (name: string, rest = "") => `/api/track/${encodeURIComponent(name)}${rest}`;

    it("finds a tracked creator by id, handle in any case and URL, without the platform", async () => {
      const { creator } = (await post({ channel_id: createChannelId(1) })).body;
      for (const name of names) {
        const { body } = await send(toPath(name), { key: key.secret });
        expect(body, name).toEqual({ status: "ok", creator });
        const history = await send(toPath(name, "/history"), { key: key.secret });
        expect(history.body, name).toMatchObject({
          channel_id: createChannelId(1),
          history: [{ day: "2026-03-10" }],
        });
        const stopped = await send(toPath(name), { key: key.secret, method: "DELETE" });
        expect(stopped.body.channel_id, name).toBe(createChannelId(1));
        await service.db.insert(trackedCreators).values({
          keyId: key.id,
          channelId: createChannelId(1),
          trackedSince: service.clock.now(),
        });
      }
      expect(server.calls).toHaveLength(1);
    });

    it("answers 404 that says what a path takes when its channel is malformed", async () => {
      for (const rest of ["", "/history"]) {
        const { status, body } = await send(toPath("nonsense!", rest), { key: key.secret });
        expect([status, body.error]).toEqual([404, "Not a channel id, @handle or channel URL"]);
      }
    });

    it.each([...names, "@nobody", "no channel", "youtube.com/user/maker"])(
      "answers 404 for another key's creator as for one that does not exist: %s",
      async (name) => {
        await post({ channel_id: createChannelId(1) }, await createKey(service));
        for (const method of ["GET", "DELETE"] as const)
          expect((await send(toPath(name), { key: key.secret, method })).status).toBe(404);
        expect((await send(toPath(name, "/history"), { key: key.secret })).status).toBe(404);
      },
    );
  });
});
