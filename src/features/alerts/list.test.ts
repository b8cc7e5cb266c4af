import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { addDays } from "@/core/time";
import { trackUnread } from "@/features/creators/service";
import { useDailyRuns } from "@/test/daily-run";
import { createChannelId } from "@/test/platform";
import { send } from "@/test/request";
import { createKey, type TestKey } from "@/test/service";

describe("GET /api/alerts", () => {
  const runs = useDailyRuns();
  const { service } = runs;
  let key: TestKey;
  const made: { id: string; day: string; percent: number; channel_id: string; created_at: string }[] = [];

  beforeAll(async () => {
    key = await createKey(service, "pro");
    for (const [at, after] of [1125, 1150, 1600].entries()) {
      runs.day = addDays("2026-06-01", at * 5);
      runs.next = addDays(runs.day, 1);
      await runs.makeAlert(key.id, 1000, after, {
        name: at === 0 ? '=1+1, "A"' : "Maker",
        handle: `@maker.${at}`,
      });
    }
    made.push(...(await get("")).body.alerts.toReversed());
  });

  const get = (query: string, of = key) => send(`/api/alerts?${query}`, { key: of.secret });
  const listPercents = async (query: string) =>
    (await get(query)).body.alerts.map(({ percent }: { percent: number }) => percent);

  it.each<[string, () => string, number[]]>([
    ["since", () => `since=${made[1]?.created_at}`, [60, 15]],
    ["channel_id", () => `channel_id=${made[0]?.channel_id}`, [12.5]],
    ["handle in any case", () => "channel_id=@MAKER.0", [12.5]],
    ["URL of the channel", () => "channel_id=youtube.com%2F%40maker.1%2Fvideos", [15]],
    ["a handle that no channel has", () => "channel_id=@nobody", []],
    ["handle with after", () => "after=&channel_id=@maker.2", [60]],
    ["severity", () => "severity=RISING%20FAST", [15]],
    ["min_percent", () => "min_percent=15", [60, 15]],
    ["cause", () => "cause=no_new_video", [60, 15, 12.5]],
    ["a cause that no alert has", () => "cause=video", []],
    ["from and to", () => `from=${made[0]?.day}&to=${made[1]?.day}`, [15, 12.5]],
    ["times with an offset", () => "since=0000-01-01T00:00:00%2B14:00", [60, 15, 12.5]],
    ["times with an offset after year 9999", () => "since=9999-12-31T23:59:59-14:00", []],
    ["times and days of any year", () => "since=0000-01-01T00:00:00Z&from=0000-01-01&to=9999-12-31", [60, 15, 12.5]],
    ["several", () => `from=${made[1]?.day}&min_percent=16`, [60]],
    ["after, oldest first", () => `after=${made[0]?.id}`, [15, 60]],
    ["after with a filter", () => "after=&min_percent=15", [15, 60]],
    ["an unknown parameter, which is ignored", () => "colour=red", [60, 15, 12.5]],
  ])("filters by %s", async (_, query, expected) => expect(await listPercents(query())).toEqual(expected));

  it("continues after an alert page by page, and later returns only newer alerts", async () => {
    const first = (await get("after=&limit=2")).body;
    expect(first).toMatchObject({
      pagination: { total: 3, offset: 0, limit: 2, has_more: true },
      alerts: [{ id: made[0]?.id }, { id: made[1]?.id }],
      next_after: made[1]?.id,
    });
    const last = (await get(`after=${first.next_after}&limit=2`)).body;
    expect(last).toMatchObject({ pagination: { total: 1, has_more: false }, next_after: made[2]?.id });
    expect((await get(`after=${last.next_after}`)).body).toMatchObject({
      pagination: { total: 0, has_more: false },
      alerts: [],
      next_after: made[2]?.id,
    });
    const none = await createKey(service);
    expect((await get("after=", none)).body).toMatchObject({ alerts: [], next_after: "" });
  });

  it.each([
    ["since=yesterday", 'since is "yesterday"; it must be a time, such as 2026-11-20T06:00:00Z (write + as %2B)'],
    [
      "since=2026-11-20T06:00:00+02:00",
      'since is "2026-11-20T06:00:00 02:00"; it must be a time, such as 2026-11-20T06:00:00Z (write + as %2B)',
    ],
    [
      "since=2026-11-20T06:00:00",
      'since is "2026-11-20T06:00:00"; it must be a time, such as 2026-11-20T06:00:00Z (write + as %2B)',
    ],
    [
      "channel_id=maker",
      'channel_id is "maker"; it must be a channel id (UC and 22 characters), an @handle, or a youtube.com channel URL. Did you mean @maker?',
    ],
    [
      "channel_id=youtu.be/a",
      'channel_id is "youtu.be/a"; it must be a channel, not a video: use the URL of its channel',
    ],
    [
      "channel_id=youtube.com/Maker",
      'channel_id is "youtube.com/Maker"; it must be a channel, not a custom URL: that it belongs to @Maker is a guess. Send @Maker or the channel id',
    ],
    [
      "channel_id=youtube.com/user/maker",
      "channel_id must be a channel id or an @handle: user names are found by tracking only",
    ],
    ["severity=HUGE", 'severity is "HUGE"; it must be one of EXPLOSIVE, SURGING, RISING FAST, WATCH'],
    ["min_percent=12.5", 'min_percent is "12.5"; it must be a whole number from 0 to 1000000'],
    ["from=2026-02-30", 'from is "2026-02-30"; it must be a day, such as 2026-11-20'],
    ["from=2026-03-02&to=2026-03-01", 'from is "2026-03-02"; it must not be after to'],
    ["cause=luck", 'cause is "luck"; it must be one of video, several, no_new_video, unknown, pending'],
    ["format=xml", 'format is "xml"; it must be json or csv'],
    ["after=x", 'after is "x"; it must be the id of an alert, or empty to start from the oldest'],
    ["after=&offset=0", "offset cannot be combined with after"],
    ["format=csv&limit=5", "limit cannot be combined with format=csv: the file has every alert that matches"],
  ])("refuses %s", async (query, error) => {
    const { status, body } = await get(query);
    expect([status, body.error]).toEqual([400, error]);
  });

  it("finds neither another key's alert nor an unknown id, with the same 404", async () => {
    const other = await createKey(service);
    for (const after of [made[0]?.id, "00000000-0000-4000-8000-000000000000"]) {
      const { status, body } = await get(`after=${after}`, other);
      const error = "after is not the id of an alert of your key";
      expect([status, body]).toEqual([404, { error, code: "cursor_not_found" }]);
    }
  });

  it("returns every matching alert as CSV, with formulas as text", async () => {
    const { status, headers, text } = await get("format=csv&to=2026-06-10");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(headers.get("content-disposition")).toBe('attachment; filename="alerts.csv"');
    expect([headers.get("x-total-rows"), headers.get("x-truncated")]).toEqual(["2", "false"]);
    expect(headers.get("x-ratelimit-limit")).toBe("2000");
    const [head, newest, oldest, ...rest] = text.split("\r\n");
    expect(head).toMatch(/^id,day,created_at,channel_id,.*,message$/);
    expect(newest).toMatch(new RegExp(`^${made[1]?.id},2026-06-07,.*,"Maker grew 15.0%`));
    expect(oldest).toMatch(
      /,12\.5,1000,1125,11\.4,13\.4,true,.*,"'=1\+1, ""A"" grew 12\.5% in one day \(1,000 → 1,125\)"$/,
    );
    expect(newest).toContain(",no_new_video,,No new video stands out.");
    expect(rest).toEqual([""]);
    expect((await get("format=csv&severity=SURGING")).text).toBe(`${head}\r\n`);
  });

  it("marks a CSV file of only the first 10,000 rows as truncated", async () => {
    const much = await createKey(service);
    await trackUnread(service, much.id, [createChannelId(0)]);
    await service.db.execute(sql`
      insert into alerts (key_id, channel_id, day, subscribers_before, subscribers_after, severity, message, created_at)
      select ${much.id}, ${createChannelId(0)}, '2000-01-01'::date + number, 1000, 1200, 'RISING FAST', '', ${service.clock.now().toISOString()}::timestamptz
      from generate_series(1, 10001) as number`);
    const { headers, text } = await get("format=csv", much);
    expect([headers.get("x-total-rows"), headers.get("x-truncated")]).toEqual(["10001", "true"]);
    expect(text.split("\r\n")).toHaveLength(10_002);
  });

  it("returns a creator's history by handle, filtered by day and as CSV", async () => {
    const [creator] = [await runs.track(key.id, 1000, { handle: "@History.Maker" })];
    const day = service.clock.now().toISOString().slice(0, 10);
    const path = "/api/track/@history.maker/history";
    const whole = await send(path, { key: key.secret });
    expect(whole.body).toEqual({
      status: "ok",
      channel_id: creator,
      history: [{ day, subscribers: 1000, views: 1000, videos: 10 }],
    });
    const csv = await send(`${path}?format=csv&from=${day}`, { key: key.secret });
    expect(csv.text).toBe(`day,subscribers,views,videos\r\n${day},1000,1000,10\r\n`);
    expect(csv.headers.get("content-disposition")).toBe(`attachment; filename="${creator}.csv"`);
    const later = await send(`${path}?from=${addDays(day, 1)}`, { key: key.secret });
    expect(later.body.history).toEqual([]);
    expect((await send(`${path}?from=${day}&to=${addDays(day, -1)}`, { key: key.secret })).status).toBe(400);
  });
});
