import { describe, expect, it } from "vitest";
import { toChunks } from "@/core/parallel";
import { addDays, ManualClock, startOfDay, toUtcDay } from "@/core/time";
import { CHANNELS_PER_CALL } from "@/platform/port";
import { createSamplePlatform, SAMPLE_NICHES } from "@/platform/sample";
import { ALERT_LEVELS, classifyLevel, keepLevel, scoreChannel } from "./score.rules";
import { createRandom } from "./statistics.rules";
import type { ScoreSnapshot } from "./strength.rules";

const TODAY = "2026-03-29";
const NO_TOTALS = { subscribers: null, views: null };

/** As the platform shows a count. */
function roundDown(count: number): number {
  const step = count < 1000 ? 1 : 10 ** (Math.floor(Math.log10(count)) - 2);
  return Math.floor(count / step) * step;
}

/** Snapshots of consecutive days, the last one today. */
function createHistory(subscribers: (number | null)[], views: (number | null)[] = []): ScoreSnapshot[] {
  return subscribers.map((count, index) => ({
    day: addDays(TODAY, index + 1 - subscribers.length),
    subscribers: count,
    views: views[index] ?? null,
  }));
}

/** 29 true counts that grow by a constant factor a day. */
function createGrowth(factorPerDay: number, start = 100_000): number[] {
  return Array.from({ length: 29 }, (_, index) => start * factorPerDay ** index);
}

const computeScore = (subscribers: (number | null)[], views?: (number | null)[]) =>
  scoreChannel(createHistory(subscribers, views), TODAY, NO_TOTALS);
const computeExact = (subscribers: (number | null)[], views?: (number | null)[]) =>
  computeScore(subscribers, views).exact;
const createSteady = (factor: number, start?: number) => computeExact(createGrowth(factor, start).map(roundDown));

/** Random histories: growth and falls, rounding, gaps, hidden counts, falling views. */
function createRandomHistory(random: () => number): {
  subscribers: (number | null)[];
  views: (number | null)[];
} {
  let [count, views] = [10 ** (1 + 6 * random()), 10 ** (2 + 6 * random())];
  const pace = (random() - 0.3) * 0.03;
  const subscribers: (number | null)[] = [];
  const seen: (number | null)[] = [];
  for (let day = 0; day < 29; day++) {
    count *= Math.exp(pace + (random() - 0.5) * 0.01 - (random() < 0.02 ? 0.1 : 0));
    views *= 1 + random() * 0.02 - (random() < 0.02 ? 0.2 : 0);
    subscribers.push(random() < 0.1 ? null : roundDown(count));
    seen.push(random() < 0.1 ? null : Math.floor(views));
  }
  return { subscribers, views: seen };
}

describe("scoreChannel", () => {
  it("keeps normal and declining channels below 25", () => {
    for (const factor of [0.9, 0.99, 0.999, 1, 1.0002, 1.0005]) expect(createSteady(factor)).toBeLessThan(25);
  });

  it.each([1_000, 30_000, 5_000_000])("rates a channel of %i by its weekly growth", (start) => {
    const computeLevel = (percent: number) => classifyLevel(createSteady((1 + percent / 100) ** (1 / 7), start));
    expect([0.5, 4, 10, 30].map(computeLevel)).toEqual(["STABLE", "WATCH", "RISING", "HIGH_GROWTH"]);
  });

  it("rises with growth, in whole numbers from 0 to 100", () => {
    const factors = [1, 1.0005, 1.001, 1.002, 1.005, 1.01, 1.02, 1.05, 1.1, 1.5, 3];
    const scores = factors.map((factor) => computeScore(createGrowth(factor).map(roundDown)));
    const values = scores.map(({ value }) => value);
    expect(values).toEqual([...values].sort((a, b) => a - b));
    expect(new Set(values).size).toBeGreaterThan(8);
    expect([values[0], values.at(-1)]).toEqual([0, 100]);
    for (const { value, exact } of scores) expect(value).toBe(Math.floor(exact));
  });

  it("stays from 0 to 100 and never NaN, for any history", () => {
    const random = createRandom(1);
    for (let round = 0; round < 2000; round++) {
      const { subscribers, views } = createRandomHistory(random);
      const { value, exact, parts } = computeScore(subscribers, views);
      expect(value).toBe(Math.floor(exact));
      expect(exact).toBeGreaterThanOrEqual(0);
      expect(exact).toBeLessThanOrEqual(100);
      expect(Object.values(parts ?? {}).every((part) => part === null || Number.isFinite(part))).toBe(true);
    }
  });

  it("never falls with more subscribers today", () => {
    const random = createRandom(2);
    for (let round = 0; round < 1000; round++) {
      const { subscribers, views } = createRandomHistory(random);
      const today = subscribers[28];
      if (today == null) continue;
      const more = roundDown(today * (1 + 0.05 * random()) + 1);
      // A new rounding step also changes the estimates of earlier days, hence the tolerance.
      expect(computeExact([...subscribers.slice(0, 28), more], views)).toBeGreaterThan(
        computeExact(subscribers, views) - 0.05,
      );
    }
  });

  it("rates a channel STABLE that grew neither in 7 nor in 28 days, whatever its views do", () => {
    const random = createRandom(3);
    for (let round = 0; round < 1000; round++) {
      const { subscribers, views } = createRandomHistory(random);
      const [first, week] = [subscribers[0] ?? 500, subscribers[21] ?? 500];
      const declining = [first, ...subscribers.slice(1, 21), week, ...subscribers.slice(22, 28), Math.min(first, week)];
      const soaring = views.map((count, day) => (count === null ? null : count * 3 ** day));
      expect(computeExact(declining, soaring)).toBeLessThan(25);
    }
  });

  it("ignores days after the scored day and more than 28 days before it", () => {
    const snapshots = createHistory(createGrowth(1.01).map(roundDown), createGrowth(1.01, 1_000_000));
    const around = [29, -1, -5].map((ago) => ({
      day: addDays(TODAY, -ago),
      subscribers: 9,
      views: 9_000_000,
    }));
    expect(scoreChannel([...around, ...snapshots], TODAY, NO_TOTALS)).toEqual(
      scoreChannel(snapshots, TODAY, NO_TOTALS),
    );
  });

  it("accepts snapshots in any order", () => {
    const snapshots = createHistory(createGrowth(1.01).map(roundDown));
    expect(scoreChannel(snapshots.toReversed(), TODAY, NO_TOTALS)).toEqual(scoreChannel(snapshots, TODAY, NO_TOTALS));
  });

  describe("score robustness", () => {
    it("sees growth through rounding steps within a quarter of a percent a week", () => {
      for (const factor of [1, 1.0003, 1.001, 1.003, 1.01, 1.03])
        for (const start of [1003, 10_010, 95_000, 1_234_567]) {
          const week = 7 * Math.log(factor);
          const { growth_28d, growth_recent } = computeScore(createGrowth(factor, start).map(roundDown)).parts ?? {};
          const seen = [growth_28d ?? 0, growth_recent ?? 0].map((growth) => Math.abs(growth - week));
          expect(Math.max(...seen), `${factor} ${start}`).toBeLessThan(0.0025 + 0.1 * week);
        }
    });

    it("ignores a count that crosses a rounding step and returns", () => {
      const wavering = Array.from({ length: 29 }, (_, day) => (day % 4 === 3 ? 12_400 : 12_300));
      const { parts, value } = computeScore(wavering);
      expect(parts?.growth_recent).toBeCloseTo(0, 3);
      expect(value).toBeLessThan(25);
    });

    it("does not count a single step of 1,000 subscribers in a month as a rise", () => {
      for (const day of [3, 14, 25, 28])
        expect(computeExact(createGrowth(1).map((_, index) => (index < day ? 101_000 : 102_000)))).toBeLessThan(25);
    });

    it("keeps most of the score of a growing channel through a purge of subscribers", () => {
      const growing = createGrowth(1.01, 500).map(Math.floor);
      const purged = growing.map((count, day) => (day < 20 ? count : Math.floor(count * 0.97)));
      expect(computeExact(purged)).toBeGreaterThan(computeExact(growing) - 8);
      expect(computeExact(purged)).toBeLessThanOrEqual(computeExact(growing));
    });

    it("rates a rise from 3 to 6 subscribers far below one from 3,000 to 6,000", () => {
      const doubleCounts = (count: number) =>
        computeExact(createGrowth(1).map((_, day) => (day < 20 ? count : 2 * count)));
      expect(doubleCounts(3)).toBeLessThan(30);
      expect(doubleCounts(3000)).toBeGreaterThan(50);
    });

    it("changes the score little when days are missing", () => {
      const counts = createGrowth(1.01, 500).map(Math.floor);
      const gap = counts.map((count, day) => (day > 8 && day < 25 ? null : count));
      expect(computeExact(gap)).toBeGreaterThan(computeExact(counts) - 3);
      expect(computeExact(gap)).toBeLessThan(computeExact(counts) + 3);
    });

    it("lowers the score while the count stays hidden", () => {
      const counts = createGrowth(1.01, 500).map(Math.floor);
      const hideCounts = (days: number) => computeExact(counts.map((count, day) => (day > 28 - days ? null : count)));
      expect(hideCounts(3)).toBeLessThan(hideCounts(0));
      expect(hideCounts(14)).toBeLessThan(hideCounts(3));
    });

    it("neither gains nor loses growth when deleted videos lower the views", () => {
      const counts = createGrowth(1.005, 500).map(Math.floor);
      const views = counts.map((_, day) => 100_000 + day * 1000);
      const fallen = views.map((count, day) => (day < 10 ? count : count - 90_000));
      expect(Math.abs(computeExact(counts, fallen) - computeExact(counts, views))).toBeLessThan(2);
    });
  });

  it("prefers lasting growth to the same growth in one day ten days ago", () => {
    const lasting = createGrowth(1.005, 500).map(Math.floor);
    const sudden = lasting.map((_, day) => (day < 18 ? (lasting[0] ?? 0) : (lasting[28] ?? 0)));
    expect(computeExact(lasting)).toBeGreaterThan(computeExact(sudden) + 5);
    expect(computeScore(lasting).parts?.persistence).toBe(1);
    expect(computeScore(sudden).parts?.persistence).toBe(0.25);
  });

  it("gives steady growth nearly the same score after few days as after 28", () => {
    const counts = createGrowth(1.01, 500).map(Math.floor);
    const cutBefore = (days: number) => computeScore(counts.slice(28 - days));
    for (const days of [1, 2, 3, 5, 7, 14, 21])
      expect(Math.abs(cutBefore(days).exact - cutBefore(28).exact), `${days}`).toBeLessThan(6);
    expect(cutBefore(28).parts?.confidence).toBe(1);
    expect(cutBefore(14).parts?.confidence).toBe(0.5);
    expect(computeScore(createGrowth(1.01).map(roundDown)).parts?.confidence).toBeLessThan(1);
  });

  it("raises a channel with soaring views, and scores without views where they are unknown", () => {
    const counts = createGrowth(1.002, 500).map(Math.floor);
    const even = counts.map((_, day) => 100_000 + 1000 * day);
    const soaring = counts.map((_, day) => 100_000 + 1000 * day + (day > 21 ? 20_000 * (day - 21) : 0));
    expect(computeExact(counts, soaring)).toBeGreaterThan(computeExact(counts, even));
    expect(computeScore(counts).parts).toMatchObject({ growth_by_views: null, reach: null });
  });

  describe("score from totals", () => {
    const scoreProfile = (subscribers: number | null, views: number | null) =>
      scoreChannel([], TODAY, { subscribers, views });

    it("scores by the channel's totals below two counts, with basis profile", () => {
      const totals = { subscribers: 640, views: 24_310 };
      expect(scoreChannel([], TODAY, totals)).toMatchObject({ basis: "profile", parts: null });
      expect(scoreChannel(createHistory([640]), TODAY, totals)).toEqual(scoreChannel([], TODAY, totals));
      expect(scoreChannel(createHistory([640, 650]), TODAY, totals)).toMatchObject({ basis: "history" });
    });

    it("gives whole, STABLE scores that never rise with views", () => {
      const scores = [1, 900, 10_000, 80_000, 3e6, 4e8, 9e15].map((views) => scoreProfile(5000, views));
      for (const { value, exact } of scores) {
        expect(value).toBe(Math.floor(exact));
        expect(classifyLevel(value)).toBe("STABLE");
      }
      const values = scores.map(({ exact }) => exact);
      expect(values).toEqual([...values].sort((a, b) => b - a));
      expect(values.at(-1)).toBe(0);
    });

    it("ranks a young small channel above an established one, and that above a star", () => {
      const [young, established, star] = [
        scoreProfile(420, 15_000),
        scoreProfile(48_000, 5.2e6),
        scoreProfile(2.1e6, 9e8),
      ];
      expect(young.exact).toBeGreaterThan(established.exact + 3);
      expect(established.exact).toBeGreaterThan(star.exact + 3);
    });

    it("scores with either total alone, and 0 without any", () => {
      expect(scoreProfile(null, 120_000)).toEqual(scoreProfile(2000, 120_000));
      expect(scoreProfile(2000, null)).toEqual(scoreProfile(2000, 120_000));
      expect([scoreProfile(null, null), scoreProfile(0, 0)].map(({ value }) => value)).toEqual([0, 0]);
    });
  });
});

describe("edges", () => {
  const even = (count: number, days = 29) => new Array<number>(days).fill(count);

  it.each([
    ["today", 27],
    ["ten days ago", 17],
    ["exactly a week ago", 21],
  ])("counts no growth in a count that fell for one day and came back, %s", (_, day) => {
    const dipped = even(1000).with(day, 850);
    const { parts, value } = computeScore(dipped);
    expect(parts?.growth_recent).toBeCloseTo(0, 6);
    expect(parts?.persistence).toBe(0);
    expect(value).toBe(computeScore(even(1000)).value);
  });

  it("bounds what views alone give a channel without growth", () => {
    const createViews = (perDay: number) => even(0).map((_, day) => 1000 + day * perDay);
    const score = (perDay: number) => computeExact(even(500), createViews(perDay));
    expect(score(1e9)).toBeCloseTo(score(1e6), 3);
    expect(score(1e9)).toBeLessThan(25);
  });

  it("never rates a channel with fewer than 100 subscribers as HIGH_GROWTH, nor gives it chances", () => {
    for (const counts of [
      [0, 3],
      [1, 3],
      [0, 0, 1, 2, 3],
      [1, 99],
      [...even(1, 20), 3, 9, 27, 81],
    ]) {
      const subscribers = counts.at(-1) ?? 0;
      const { value, chances, ranges } = scoreChannel(createHistory(counts), TODAY, { subscribers, views: null });
      expect(classifyLevel(value)).not.toBe("HIGH_GROWTH");
      expect(chances).toBeNull();
      expect(ranges).not.toBeNull();
    }
  });

  it("uses nothing of the days after: later snapshots change no score, chance or range", () => {
    const random = createRandom(9);
    for (let round = 0; round < 200; round++) {
      const { subscribers, views } = createRandomHistory(random);
      const known = createHistory(subscribers, views);
      const later = [1, 2, 7].map((days) => ({ day: addDays(TODAY, days), subscribers: 1e6 * random(), views: 1e9 }));
      expect(scoreChannel([...known, ...later], TODAY, NO_TOTALS)).toEqual(scoreChannel(known, TODAY, NO_TOTALS));
    }
  });
});

describe("keepLevel", () => {
  /** The published scores of days, oldest first. */
  function publish(scores: number[]): number[] {
    const known: number[] = [];
    for (const score of scores)
      known.push(
        keepLevel(
          score,
          [1, 2, 3].map((ago) => known.at(-ago) ?? null),
        ),
      );
    return known;
  }

  it("keeps a level that was reached for three days, and ends a longer one at once", () => {
    expect(publish([40, 51, 44, 43, 42, 41])).toEqual([40, 51, 50, 50, 42, 41]);
    expect(publish([40, 80, 60, 60, 60])).toEqual([40, 80, 75, 75, 60]);
    expect(publish([40, 80, 30, 30, 30])).toEqual([40, 80, 75, 75, 30]);
    expect(publish([51, 52, 53, 54, 44])).toEqual([51, 52, 53, 54, 44]);
  });

  it("leaves a score that still reaches its level unchanged, and keeps no level without growth", () => {
    expect(publish([10, 20, 30, 45, 60, 70, 76, 90])).toEqual([10, 20, 30, 45, 60, 70, 76, 90]);
    expect(publish([40, 51, 24, 20])).toEqual([40, 51, 24, 20]);
  });
});

describe("chances", () => {
  it("raises the chances with the score, from 0 to 1, and returns null without measured growth", () => {
    for (const totals of [NO_TOTALS, { subscribers: 150, views: null }, { subscribers: 2e6, views: null }]) {
      const chances = [1, 1.001, 1.003, 1.01, 1.03, 1.1, 1.5].map(
        (factor) => scoreChannel(createHistory(createGrowth(factor).map(roundDown)), TODAY, totals).chances,
      );
      for (const horizon of ["chance_7d", "chance_28d"] as const) {
        const values = chances.map((both) => both?.[horizon] ?? -1);
        expect(values).toEqual([...values].sort((a, b) => a - b));
        expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
        expect(Math.max(...values)).toBeLessThanOrEqual(1);
      }
    }
    expect(scoreChannel([], TODAY, { subscribers: 500, views: 9000 }).chances).toBeNull();
  });
});

describe("sample platform", () => {
  it.each(["2026-01-15", "2026-07-01", "2027-11-30"])("shows all levels on %s, most channels STABLE", async (today) => {
    const clock = new ManualClock(startOfDay(addDays(today, -28)));
    const platform = createSamplePlatform(clock);
    const ids = (await Promise.all(SAMPLE_NICHES.map((niche) => platform.search(niche)))).flat();
    const histories = new Map<string, ScoreSnapshot[]>();
    for (let day = toUtcDay(clock.now()); day <= today; day = addDays(day, 1)) {
      clock.set(startOfDay(day));
      for (const chunk of toChunks(ids, CHANNELS_PER_CALL))
        for (const { channelId, subscribers, views } of (await platform.listChannels(chunk)).channels)
          histories.set(channelId, [...(histories.get(channelId) ?? []), { day, subscribers, views }]);
    }
    const levels = [...histories.values()].map((snapshots) =>
      classifyLevel(scoreChannel(snapshots, today, NO_TOTALS).value),
    );
    expect(new Set(levels)).toEqual(new Set(ALERT_LEVELS));
    expect(levels.filter((level) => level === "STABLE").length / levels.length).toBeGreaterThan(0.7);
  });
});

describe("alertLevel", () => {
  it.each([
    [100, "HIGH_GROWTH"],
    [75, "HIGH_GROWTH"],
    [74, "RISING"],
    [50, "RISING"],
    [49, "WATCH"],
    [25, "WATCH"],
    [24, "STABLE"],
    [0, "STABLE"],
  ])("rates a score of %i as %s", (score, level) => expect(classifyLevel(score)).toBe(level));
});
