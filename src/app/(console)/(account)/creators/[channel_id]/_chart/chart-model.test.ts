import { describe, expect, it } from "vitest";
import { addDays } from "@/core/time";
import { buildSummary, formatSummary } from "./chart";
import {
  buildChartModel,
  buildForecast,
  type Charted,
  compare,
  getCounts,
  getCountsBefore,
  getHighestCounts,
} from "./chart-model";

const TODAY = "2026-03-10";
const makeSnapshot = (ago: number, subscribers: number | null) => ({
  day: addDays(TODAY, -ago),
  subscribers,
  views: 10,
  videos: 1,
});
const history = [makeSnapshot(3, 100_000), makeSnapshot(2, 110_000), makeSnapshot(0, 121_000)];
const makeOther = (id: string, readings: typeof history) => ({
  channel_id: `id of ${id}`,
  name: id,
  handle: null,
  history: readings,
});

function makeModel(given: Partial<Charted> = {}) {
  const days = [3, 2, 1, 0].map((ago) => {
    const day = addDays(TODAY, -ago);
    return { day, snapshot: history.find((found) => found.day === day) ?? null };
  });
  return buildChartModel({
    channel_id: "own",
    name: "Own",
    days,
    history,
    expected: null,
    ...given,
  });
}

describe("chart model", () => {
  it("has the counts with their rounding range, and a gap", () => {
    const model = makeModel();
    expect(model?.lines.map(({ values }) => values)).toEqual([[100_000, 110_000, null, 121_000]]);
    expect(model?.highest).toEqual([100_999, 110_999, null, 121_999]);
    expect(model?.axis.share(121_999)).toBeLessThanOrEqual(1);
  });

  it("has an axis that holds what is expected, and no forecast in percent", () => {
    const expected = { low: -2, high: 24 };
    const model = makeModel({ expected });
    expect(model?.forecast?.range).toEqual({ low: 118_580, high: 150_040 });
    expect(model?.axis.share(150_040)).toBeLessThanOrEqual(1);
    const compared = [makeOther("a", [makeSnapshot(2, 50), makeSnapshot(0, 40)])];
    expect(makeModel({ expected, compared })?.forecast).toBeNull();
  });

  it("shows percent as soon as there is a second line", () => {
    const model = makeModel({ compared: [makeOther("a", [makeSnapshot(2, 50), makeSnapshot(0, 40)])] });
    expect(model?.since).toBe("2026-03-08");
    expect(model?.lines.map(({ look, values }) => [look, values.map((value) => value && Math.round(value))])).toEqual([
      [0, [null, 0, null, 10]],
      [1, [null, 0, null, -20]],
    ]);
    expect(model?.highest).toBeNull();
  });

  it("lists creators without a common day, and draws the others", () => {
    const compared = [
      makeOther("early", [makeSnapshot(9, 5), makeSnapshot(8, 5)]),
      makeOther("b", [makeSnapshot(0, 5)]),
    ];
    const model = makeModel({ compared });
    expect(model?.leftOut).toEqual(["early"]);
    expect(model?.lines.map(({ id, look }) => [id, look])).toEqual([
      ["own", 0],
      ["id of b", 2],
    ]);
    const apart = [makeOther("c", [makeSnapshot(3, 5)]), makeOther("d", [makeSnapshot(0, 5)])];
    expect(makeModel({ compared: apart })).toMatchObject({ leftOut: ["c", "d"], since: null });
  });

  it("compares with the previous period where its snapshots are kept", () => {
    expect(makeModel({ isBeforeShown: true })?.lines).toHaveLength(1);
    const longer = [makeSnapshot(7, 90_000), makeSnapshot(6, 99_000), ...history];
    expect(makeModel({ isBeforeShown: true, history: longer })?.lines[1]).toMatchObject({
      look: "before",
      counts: [90_000, 99_000, null, null],
    });
  });

  it("has the highest possible true counts", () => {
    expect(getHighestCounts([999, 1230, null, 12_300_000])).toEqual([999, 1239, null, 12_399_999]);
  });

  it("returns nothing for fewer than two counts", () => {
    expect(makeModel({ days: [{ day: TODAY, snapshot: makeSnapshot(0, 5) }] })).toBeNull();
  });
});

describe("day summary", () => {
  const formatDaySummary = (model: ReturnType<typeof makeModel>, index: number) =>
    model && formatSummary(buildSummary(model, index));

  it("has count, true range and change", () => {
    expect(formatDaySummary(makeModel(), 1)).toBe(
      "8 Mar: 110,000 subscribers, true count 110,000 to 110,999; +10,000 (+10.0%) since the day before, true growth +8.9% to +11.0%",
    );
    const notes = [{ from: 2, to: 2, label: "", text: "The run was missed." }];
    expect(formatDaySummary(makeModel({ notes }), 2)).toBe("9 Mar: No snapshot on this day; The run was missed.");
    expect(formatDaySummary(makeModel(), 3)).toBe("10 Mar: 121,000 subscribers, true count 121,000 to 121,999");
  });

  it("has the percent of each line with its count", () => {
    const model = makeModel({ compared: [makeOther("a", [makeSnapshot(3, 50), makeSnapshot(0, 40)])] });
    expect(formatDaySummary(model, 3)).toBe("10 Mar: Own +21.0%, 121,000; a −20.0%, 40");
    expect(formatDaySummary(model, 2)).toContain("9 Mar: Own –, no snapshot; a –, no snapshot");
  });
});

describe("lines on one scale", () => {
  it("start at zero percent on the first day that all of them have", () => {
    const { base, percents } = compare([
      [100, 110, 121, 132],
      [null, 5000, null, 4000],
    ]);
    expect(base).toBe(1);
    expect(percents.map((line) => line.map((percent) => percent && Math.round(percent * 10) / 10))).toEqual([
      [null, 0, 10, 20],
      [null, 0, null, -20],
    ]);
  });

  it("have no percentage without a common day, or when they start at zero", () => {
    expect(
      compare([
        [1, null],
        [null, 1],
      ]).base,
    ).toBeNull();
    expect(
      compare([
        [0, 2, 4],
        [1, 1, 1],
      ]),
    ).toMatchObject({
      base: 1,
      percents: [
        [null, 0, 100],
        [null, 0, 0],
      ],
    });
  });
});

describe("counts of a line", () => {
  const days = ["2026-03-09", "2026-03-10"];
  const makeSnapshot = (day: string, subscribers: number | null) => ({ day, subscribers, views: 1, videos: 1 });

  it("cover the charted days, with a gap for a hidden count", () => {
    const snapshots = [makeSnapshot("2026-03-01", 1), makeSnapshot("2026-03-09", null), makeSnapshot("2026-03-10", 7)];
    expect(getCounts(days, snapshots)).toEqual([null, 7]);
  });

  it("cover as many days before, where they are kept", () => {
    const snapshots = [makeSnapshot("2026-03-07", 3), makeSnapshot("2026-03-08", 4), makeSnapshot("2026-03-09", 5)];
    expect(getCountsBefore(days, snapshots)).toEqual([3, 4]);
    expect(getCountsBefore(days, snapshots.slice(1))).toBeNull();
  });
});

describe("forecast", () => {
  const days = ["2026-03-09", "2026-03-10"];
  const alert = { day: "2026-03-06", subscribers_before: 500, subscribers_after: 600 };

  it("has the expected counts in 7 days", () => {
    expect(buildForecast(days, 1000, { low: -1, high: 12.5 }, [])).toEqual({
      range: { low: 990, high: 1125 },
      held: null,
    });
  });

  it("marks the count that the latest alert needs on the day of its grade", () => {
    expect(buildForecast(days, 640, null, [alert])).toEqual({
      range: null,
      held: { index: 4, day: "2026-03-13", count: 650, label: "held at 650" },
    });
  });

  it("has no mark for an alert that is graded already", () => {
    expect(buildForecast(days, 640, null, [{ ...alert, day: "2026-03-03" }])).toBeNull();
  });

  it("is null without a count of the last day", () => {
    expect(buildForecast(days, null, { low: 0, high: 1 }, [alert])).toBeNull();
  });
});
