import { parse } from "csv-parse/sync";
import { expect, it } from "vitest";
import { EXAMPLE_CREATOR } from "@/features/creators/query.schema";
import { toResultsCsv } from "../../_ui/csv";

it("writes a row for each shown creator, with its growth range and empty cells for unknown values", () => {
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
