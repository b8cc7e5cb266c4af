import { beforeAll, describe, expect, it } from "vitest";
import { OperatorError } from "@/core/errors";
import { addDays } from "@/core/time";
import { readHistory } from "@/platform/history";
import type { RankingName } from "./schema";
import { type BacktestReport, runBacktest } from "./service";

const FIRST = "2026-01-01";

/** A channel's counts by day, null where there is no row. */
type Life = { id: string; subscribers: (number | null)[]; views: (number | null)[] };

function toCsv(lives: readonly Life[]): string {
  const rows = lives.flatMap(({ id, subscribers, views }) =>
    subscribers.map((count, day) => `${id},${addDays(FIRST, day)},${count ?? ""},${views[day] ?? ""},`),
  );
  return ["channel_id,date,subscribers,views,videos", ...rows].join("\n");
}

const runCsvBacktest = (lives: readonly Life[], half?: "a" | "b") =>
  runBacktest(readHistory(toCsv(lives)), { half, samples: 20 });

/** A channel that grows by a constant number of subscribers a day. */
function createEvenLife(id: string, perDay: number, days = 57): Life {
  const subscribers = Array.from({ length: days }, (_, day) => 500 + perDay * day);
  return { id, subscribers, views: subscribers.map((count) => 1000 * count) };
}

/** Twenty channels, from no growth to a growth of 19 a day. */
const TWENTY = Array.from({ length: 20 }, (_, perDay) => createEvenLife(`UC${perDay}`, perDay));

/** The same, but what follows after the origin of day 28 is the reverse of what was before. */
const REVERSED = TWENTY.map((life, perDay) => ({
  ...life,
  subscribers: life.subscribers.map((count, day) =>
    day <= 28 ? count : 500 + perDay * 28 + (19 - perDay) * (day - 28),
  ),
}));

/** The same without growth. */
const STILL = TWENTY.map(({ id }) => createEvenLife(id, 0));

describe("runBacktest", () => {
  let even: BacktestReport;
  let still: BacktestReport;
  beforeAll(() => {
    even = runCsvBacktest(TWENTY);
    still = runCsvBacktest(STILL);
  });

  it("reports precision 1 for rankings when growth continues", () => {
    const { horizons, origins, channels, best_possible } = even;
    expect({ origins, channels }).toEqual({ origins: 4, channels: 20 });
    for (const horizon of [7, 28] as const) {
      for (const name of ["score", "g1", "g7", "g14", "g28", "pace", "views", "size"] as const)
        expect(horizons[horizon][name], name).toMatchObject({ p1: 1, p5: 1, rho: expect.closeTo(1) });
      const { mean1, mean5 } = best_possible[horizon];
      expect([mean1, mean5]).toEqual([horizons[horizon].g7.mean1, horizons[horizon].g7.mean5]);
    }
  });

  it("averages the target of the picked channels over the origins", () => {
    const { horizons } = even;
    // The fastest has 500 + 19 a day; of 20 channels 1 % and 5 % are one.
    const grown = [28, 35, 42, 49].map((day) => Math.log((500 + 19 * (day + 7)) / (500 + 19 * day)));
    expect(horizons[7].g28.mean5).toBeCloseTo(grown.reduce((total, one) => total + one, 0) / 4, 10);
    expect(horizons[28].g28.mean1).toBeCloseTo(Math.log((500 + 19 * 56) / (500 + 19 * 28)), 10);
  });

  it("reports precision 0 for rankings when growth reverses", () => {
    const { horizons } = runCsvBacktest(REVERSED);
    expect(horizons[28].g7).toMatchObject({ p1: 0, p5: 0, rho: expect.closeTo(-1) });
    expect(horizons[28].score).toMatchObject({ p1: 0, p5: 0 });
  });

  it("breaks ties by chance, repeatably, and correlates them by their average ranks", () => {
    const { g7 } = still.horizons[7];
    expect(g7.rho).toBe(0);
    expect(g7.p5).toBeLessThan(1);
    expect(runCsvBacktest(STILL)).toEqual(still);
  });

  it("reads no day after the origin: whatever follows, it picks the same channels", () => {
    const past = TWENTY.map((life, index) => ({
      ...life,
      subscribers: life.subscribers.map((count, day) => (count ?? 0) + Math.round(9 * Math.sin(day * index))),
    }));
    /** Gives each channel its own growth after day 28, and its own views. */
    const addFuture = (growthOf: (index: number) => number) =>
      past.map(({ id, subscribers, views }, index) => ({
        id,
        subscribers: subscribers.map((count, day) => (day <= 28 ? count : growthOf(index) * (subscribers[28] ?? 0))),
        views: views.map((count, day) => (day <= 28 ? count : growthOf(index) * day)),
      }));
    const readPicked = (growthOf: (index: number) => number) => {
      const { horizons } = runCsvBacktest(addFuture(growthOf));
      return Object.entries(horizons[28]).map(([name, { mean1 }]) => {
        const growth = Math.round(Math.exp(mean1));
        return [name, past.findIndex((_, index) => growthOf(index) === growth)];
      });
    };
    const picked = readPicked((index) => 2 + index);
    expect(picked.every(([, index]) => index !== -1)).toBe(true);
    expect(readPicked((index) => 40 - index)).toEqual(picked);
  });

  it("ranks channels of every age, also without views, from two counts and 100 subscribers on", () => {
    const removeCounts = (id: string, change: (life: Life) => void) => {
      const life = createEvenLife(id, 5);
      change(life);
      return life;
    };
    const cutBefore = (day: number) => (life: Life) => {
      life.subscribers = life.subscribers.map((count, at) => (at < day ? null : count));
    };
    const unranked = [
      removeCounts("UCsmall", (life) => (life.subscribers = life.subscribers.map(() => 99))),
      removeCounts(
        "UCnow",
        (life) => (life.subscribers = life.subscribers.map((count, day) => (day % 7 ? count : null))),
      ),
      removeCounts("UClate", cutBefore(56)),
    ];
    expect(runCsvBacktest([...TWENTY, ...unranked]).channels).toBe(20);
    const ranked = [
      removeCounts("UCyoung", cutBefore(46)),
      removeCounts("UCnone", (life) => (life.views = life.views.map(() => null))),
      removeCounts("UCgap", (life) => (life.subscribers[20] = null)),
    ];
    expect(runCsvBacktest([...TWENTY, ...ranked]).channels).toBe(23);
  });

  it("cuts histories to lengths drawn from a seed and reports by length", () => {
    const many = Array.from({ length: 200 }, (_, index) => createEvenLife(`UC${index}`, Math.floor(index / 10)));
    const runMixed = (mixedHistory: number) => runBacktest(readHistory(toCsv(many)), { samples: 2, mixedHistory });
    const report = runMixed(7);
    const { by_history, mixed_history } = report;
    expect(mixed_history).toBe(7);
    expect(Object.keys(by_history)).toEqual(["3", "7", "14", "28"]);
    for (const { channels, rho } of Object.values(by_history)) {
      expect(channels).toBeGreaterThan(25);
      expect(rho).toBeGreaterThan(0.9);
    }
    expect(runMixed(7)).toEqual(report);
    expect(runMixed(8).by_history).not.toEqual(by_history);
    expect(even.by_history).toMatchObject({
      3: { p5: null, recall: null },
      28: { p5: 1, recall: 1 },
    });
  });

  it("grades the chances in ten bins", () => {
    const { chance_7d, chance_28d } = even.calibration;
    for (const { error, brier, bins } of [chance_7d, chance_28d]) {
      expect(bins.map(({ from }) => from)).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]);
      const all = bins.reduce((sum, { channels }) => sum + channels, 0);
      const distance = bins.reduce(
        (sum, { channels, predicted, seen }) => sum + channels * Math.abs((predicted ?? 0) - (seen ?? 0)),
        0,
      );
      expect(error).toBeCloseTo(distance / all);
      expect(brier).toBeLessThan(0.3);
    }
  });

  it("grades the chances by size, days of history and shape, and how often growth ended in the ranges", () => {
    const { calibration, ranges, origins } = even;
    const weeks = 20 * origins;
    const sizes = Object.values(calibration.by_size).map(({ channels }) => channels);
    expect(sizes.reduce((sum, channels) => sum + channels)).toBe(weeks);
    expect(calibration.by_size[100000]).toEqual({ channels: 0, predicted: null, seen: null, low: null, high: null });
    for (const { channels, low, seen, high } of Object.values(calibration.by_history)) {
      expect(channels).toBe(weeks);
      expect(low).toBeLessThanOrEqual(seen ?? -1);
      expect(high).toBeGreaterThanOrEqual(seen ?? 2);
    }
    expect(Object.keys(calibration.by_shape)).toEqual(["steady", "lone_jump", "recovering"]);
    const { base_brier, bins } = calibration.chance_7d;
    const came = bins.reduce((sum, { channels, seen }) => sum + channels * (seen ?? 0), 0) / weeks;
    expect(base_brier).toBeCloseTo(came * (1 - came), 9);
    for (const horizon of [7, 28] as const) {
      const { channels, coverage, by_size } = ranges[horizon];
      const inside = Object.values(by_size).map((one) => one.channels * (one.coverage ?? 0));
      expect(inside.reduce((sum, count) => sum + count)).toBeCloseTo(channels * (coverage ?? 0), 6);
    }
  });

  it("reports size bands of 20 channels or more separately", () => {
    const large = TWENTY.map((life, index) => ({
      id: `UClarge${index}`,
      subscribers: life.subscribers.map((count) => (count ?? 0) * 4_000),
      views: life.views,
    }));
    const { bands } = runCsvBacktest([
      ...TWENTY.map(({ id }, index) => createEvenLife(id, Math.floor(index / 4))),
      ...large.slice(1),
      createEvenLife("UCmid", 0),
    ]);
    expect(Object.keys(bands[7])).toEqual(["under 1,000"]);
    expect(bands[7]["under 1,000"]?.channels).toBe(21);
    const both = runCsvBacktest([
      ...TWENTY.map(({ id }, index) => createEvenLife(id, Math.floor(index / 4))),
      ...large,
    ]);
    expect(Object.keys(both.bands[7])).toEqual(["under 1,000", "1,000,000 and more"]);
  });

  it("reports the share of each level and what its channels did next", () => {
    const { levels } = even;
    const shares = Object.values(levels).map(({ share }) => share);
    expect(shares.reduce((total, share) => total + share, 0)).toBeCloseTo(1);
    expect(Object.keys(levels)).toEqual(["STABLE", "WATCH", "RISING", "HIGH_GROWTH"]);
    expect(still.levels).toMatchObject({
      STABLE: { share: 1, mean7: 0 },
      HIGH_GROWTH: { share: 0, mean7: null },
    });
  });

  it("reports each value within its bootstrap interval and compares with the best baseline", () => {
    const mixed = TWENTY.map((life, index) => ({
      ...life,
      subscribers: life.subscribers.map((count, day) => (count ?? 0) + Math.round(20 * Math.sin(day * (index + 1)))),
    }));
    const { horizons, intervals } = runCsvBacktest(mixed);
    for (const figure of ["p5", "rho"] as const) {
      const { low, high } = intervals[7].score[figure];
      expect(low).toBeLessThanOrEqual(horizons[7].score[figure]);
      expect(high).toBeGreaterThanOrEqual(horizons[7].score[figure]);
      const { baseline, value } = intervals[7].lead[figure];
      const others = Object.entries(horizons[7]).filter(([name]) => name !== "score");
      expect(horizons[7][baseline as RankingName][figure]).toBe(Math.max(...others.map(([, one]) => one[figure])));
      expect(value).toBeCloseTo(horizons[7].score[figure] - horizons[7][baseline][figure]);
    }
    expect(runCsvBacktest(mixed).intervals).toEqual(intervals);
  });

  it("counts alerts above 10 % from one day to the next, not across a gap", () => {
    const jumps = createEvenLife("UCjump", 0);
    for (const [day, count] of [
      [10, 550],
      [11, 606],
      [12, null],
      [13, 900],
      [14, 1000],
    ] as const)
      jumps.subscribers[day] = count;
    jumps.subscribers.fill(1000, 15);
    // 550 is 10 % more and no alert; 606 is 10.2 % more; 900 follows a gap; 1,000 is 11.1 % more.
    expect(runCsvBacktest([...TWENTY.map(({ id }) => createEvenLife(id, 1)), jumps]).alerts).toBe(2);
  });

  it("reports how far the score moves on days that bring no new counts", () => {
    expect(still.quiet_days).toEqual({ days: 20 * 28, mean_change: 0, largest_change: 0 });
    expect(even.quiet_days.days).toBe(28);
  });

  it("splits the channels into two halves by their ids alone", () => {
    const many = Array.from({ length: 60 }, (_, index) => createEvenLife(`UC${index}`, Math.floor(index / 10)));
    const [a, b] = [runCsvBacktest(many, "a"), runCsvBacktest(many, "b")];
    expect([a.half, b.half, even.half]).toEqual(["a", "b", null]);
    expect(a.channels + b.channels).toBe(60);
    expect(Math.min(a.channels, b.channels)).toBeGreaterThan(15);
    expect(runCsvBacktest(many.slice(0, 50), "a").channels + runCsvBacktest(many.slice(0, 50), "b").channels).toBe(50);
  });

  it("returns a report that JSON can hold, with a number or null for each figure", () => {
    expect(JSON.parse(JSON.stringify(even))).toEqual(even);
  });

  it("refuses histories that are too short or have no channel to rank", () => {
    const short = TWENTY.map(({ id }) => createEvenLife(id, 1, 56));
    expect(() => runCsvBacktest(short)).toThrow(OperatorError);
    expect(() => runCsvBacktest(short)).toThrow("at least 57 days, the file has 56");
    expect(() => runCsvBacktest([{ ...createEvenLife("UCa", 1), subscribers: [5] }])).toThrow(OperatorError);
  });
});
