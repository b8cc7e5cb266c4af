import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { EXAMPLE_CREATOR } from "@/features/creators/query.schema";
import { toResultsCsv, toSnapshotsCsv } from "./csv";

const CHANNEL = "UC0000000000000000000000";
const snapshot = { day: "2026-03-10", subscribers: 1000, views: 20_000, videos: 3 };
const url = `https://www.youtube.com/channel/${CHANNEL}`;
const getCsv = (name: string, handle: string | null = null) =>
  toSnapshotsCsv({ channel_id: CHANNEL, name, handle, url }, [snapshot]);
const parseCells = (csv: string) => parse(csv, { bom: true, columns: true }) as Record<string, string>[];

describe("toSnapshotsCsv", () => {
  it("writes a row for each snapshot, with empty cells for hidden or unknown values", () => {
    const creator = { channel_id: CHANNEL, name: "Owl", handle: null, url };
    const hidden = { ...snapshot, day: "2026-03-11", subscribers: null };
    expect(toSnapshotsCsv(creator, [snapshot, hidden])).toBe(
      [
        "\ufeffchannel_id,name,handle,url,day,subscribers,views,videos",
        `${CHANNEL},Owl,,${url},2026-03-10,1000,20000,3`,
        `${CHANNEL},Owl,,${url},2026-03-11,,20000,3`,
        "",
      ].join("\r\n"),
    );
  });

  it.each(["=1+1", "+1", "-1", "@SUM(A1)", '=HYPERLINK("http://x.test";"a")', "＝1", "＋1", "－1", "＠a"])(
    "prevents a spreadsheet from running the name %j",
    (name) => {
      expect(parseCells(getCsv(name))[0]?.name).toBe(`'${name}`);
      expect(parseCells(getCsv("Owl", `@${name}`))[0]?.handle).toBe(`'${name}`);
    },
  );

  it("writes a handle without its @ and without a mark", () => {
    expect(getCsv("Sprocket Owl", "@sprocket.owl")).toContain(`,Sprocket Owl,sprocket.owl,${url},`);
    expect(parseCells(getCsv("Owl", "@SUM(A1)"))[0]?.handle).toBe("SUM(A1)");
  });

  it.each(["\t=1", "\r=1", " \n=1 "])("strips white space before the formula in the name %j and marks it", (name) => {
    expect(parseCells(getCsv(name))[0]?.name).toBe("'=1");
  });

  it.each([";=1", "|=1", '; "=1', "a;\u200e=1", "\u200b=1", '"=1'])("marks the formula inside the name %j", (name) => {
    expect(parseCells(getCsv(name))[0]?.name).toBe(name.replace("=", "'="));
  });

  it("writes one line for each snapshot, and starts no cell with a formula at any separator", () => {
    expect(parseCells(getCsv("Fun\r\n=1+1"))[0]?.name).toBe("Fun =1+1");
    expect(parseCells(getCsv("a;=cmd|'/C calc'!A0;b\t@x| -1"))[0]?.name).toBe("a;'=cmd|'/C calc'!A0;b\t'@x| '-1");
  });

  it.each(['Said "hi"', "One, two", "a=b", "夜更かし"])("keeps the name %j as it is", (name) => {
    expect(parseCells(getCsv(name))).toMatchObject([{ name, subscribers: "1000" }]);
  });
});

it("toResultsCsv writes a row for each shown creator, with its growth range and empty cells for unknown values", () => {
  const week = {
    days: 7,
    subscribers_before: 100,
    subscribers_after: 99,
    percent: -1,
    low: -1.2,
    high: -0.8,
  };
  const found = {
    growth: [week],
    growth_day: null,
    trend: [],
    score_parts: null,
    score_explanation: null,
    is_tracked: true,
  };
  const falling = { ...EXAMPLE_CREATOR, ...found, name: "=1+1", growth_7d_percent: -1 };
  const unknown = { ...falling, name: "Owl", subscribers: null, score: null, growth_7d_percent: null };
  const rows = parse(toResultsCsv([falling, unknown]), { bom: true, columns: true });
  expect(rows).toEqual([
    {
      channel_id: EXAMPLE_CREATOR.channel_id,
      name: "'=1+1",
      handle: "juniperfivecrits",
      url: EXAMPLE_CREATOR.url,
      country: "CA",
      subscribers: "640",
      growth_7d_percent: "-1",
      growth_7d_low: "-1.2",
      growth_7d_high: "-0.8",
      score: "54",
      score_basis: "history",
      alert_level: "RISING",
      is_tracked: "true",
    },
    expect.objectContaining({
      name: "Owl",
      subscribers: "",
      score: "",
      growth_7d_percent: "",
      growth_7d_low: "",
    }),
  ]);
});
