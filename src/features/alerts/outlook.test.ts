import { describe, expect, it } from "vitest";
import { addDays, type Day, startOfDay } from "@/core/time";
import { trackUnread } from "@/features/creators/service";
import type { PastSnapshot } from "@/features/growth/rules";
import { setAlertEmail } from "@/features/notifications/addresses.service";
import { useDailyRuns } from "@/test/daily-run";
import { createChannelId } from "@/test/platform";
import { createKey } from "@/test/service";
import { classifyOutlook, describeFewGained, isBaselineFrozen } from "./outlook.rules";
import { selectShownOutcome } from "./rules";
import { listAlerts } from "./service";

const DAY = "2026-06-29";

/** Daily snapshots up to the day before, with weekly growth in percent up to the count `before`. */
function createHistory(days: number, percentAWeek: number, before: number): PastSnapshot[] {
  return Array.from({ length: days }, (_, at) => {
    const back = days - at;
    return createSnapshot(addDays(DAY, -back), before / (1 + percentAWeek / 100) ** ((back - 1) / 7));
  });
}

function createSnapshot(day: Day, subscribers: number | null): PastSnapshot {
  const count = subscribers === null ? null : Math.round(subscribers);
  return { day, readAt: startOfDay(day), subscribers: count, views: null };
}

const classify = (past: PastSnapshot[], before: number, after = 2 * before) =>
  classifyOutlook(DAY, past, { before, after });
const formatChance = (percent: number) =>
  `${percent}% of such jumps kept growing (at least half as much again in 7 days).`;

describe("describeFewGained", () => {
  it("says so when an alert gained fewer than 10 subscribers", () => {
    expect(describeFewGained({ before: 3, after: 4 })).toBe("It gained only 1 subscriber.");
    expect(describeFewGained({ before: 30, after: 39 })).toBe("It gained only 9 subscribers.");
    expect(describeFewGained({ before: 30, after: 40 })).toBeNull();
  });
});

describe("isBaselineFrozen", () => {
  /** Whether the baseline is frozen; counts of subscribers and views by day, the last of the rise. */
  const isFrozen = (...counts: [number, number | null][]) => {
    const snapshots = counts.map(([subscribers, views], at): PastSnapshot => {
      const day = addDays(DAY, at + 1 - counts.length);
      return { day, readAt: startOfDay(day), subscribers, views };
    });
    const [current, ...past] = snapshots.toReversed();
    return current !== undefined && isBaselineFrozen(current, past);
  };
  const moving = Array.from({ length: 8 }, (_, at): [number, number] => [900 + at, 90_000 + 50 * at]);
  const still = Array.from({ length: 8 }, (): [number, number] => [1000, 100_000]);

  it.each([
    [
      "the day before equals the day before it to the last digit",
      [
        [1000, 100_000],
        [1000, 100_000],
        [1120, 112_000],
      ],
      true,
    ],
    ["a moving channel stands still for a day", [...moving, [1000, 100_000], [1000, 100_000], [1120, 112_000]], true],
    ["only the subscribers stand still", [...moving, [1000, 100_000], [1000, 100_001], [1120, 112_000]], false],
    ["only the views stand still", [...moving, [999, 100_000], [1000, 100_000], [1120, 112_000]], false],
    ["a channel often stands still", [...still, [1000, 100_000], [1120, 112_000]], false],
    [
      "views are unknown",
      [
        [1000, null],
        [1000, null],
        [1120, null],
      ],
      false,
    ],
    [
      "there is only one day before",
      [
        [1000, 100_000],
        [1120, 112_000],
      ],
      false,
    ],
  ] as [string, [number, number | null][], boolean][])("when %s", (_, counts, expected) => {
    expect(isFrozen(...counts)).toBe(expected);
  });

  it("is not frozen without a snapshot two days before", () => {
    const [before, current] = [createSnapshot(addDays(DAY, -1), 1000), createSnapshot(DAY, 1120)];
    expect(isBaselineFrozen(current, [createSnapshot(addDays(DAY, -3), 1000), before])).toBe(false);
  });
});

describe("outlook of a rise", () => {
  it.each([
    [1, 50, 0.77, `Only 1 day of snapshots before this jump. ${formatChance(77)}`],
    [6, 50, 0.92, `Only 6 days of snapshots before this jump. ${formatChance(92)}`],
    [6, 2, 0.58, `Only 6 days of snapshots before this jump. ${formatChance(58)}`],
  ])("returns too_early after %i day(s) of snapshots, with a chance of its own", (days, pace, held_chance, reason) => {
    expect(classify(createHistory(days, pace, 1_000_000), 1_000_000)).toEqual({
      label: "too_early",
      reason,
      held_chance,
    });
  });

  it("returns too_early until 7 snapshots show a count", () => {
    const days = createHistory(9, 50, 100_000);
    expect(classify(days.slice(-7), 100_000).label).toBe("sustained");
    const hidden = days.slice(-7).map((snapshot, at) => (at === 3 ? { ...snapshot, subscribers: null } : snapshot));
    expect(classify(hidden, 100_000).label).toBe("too_early");
    expect(classify([...hidden, ...days.slice(0, 1)], 100_000).label).toBe("sustained");
  });

  it("ignores snapshots older than 28 days, of the day itself or later", () => {
    const old = Array.from({ length: 14 }, (_, at) => createSnapshot(addDays(DAY, -29 - at), 1000));
    const late = Array.from({ length: 14 }, (_, at) => createSnapshot(addDays(DAY, at), 1000));
    expect(classify([...old, ...late], 1000).label).toBe("too_early");
  });

  it.each([
    [37.3, "sustained", 0.78, "It was growing 37.3% a week before this jump."],
    [5.1, "sustained", 0.48, "It was growing 5.1% a week before this jump."],
    [4.9, "single_day", 0.48, "It was growing 4.9% a week before this jump."],
    [0, "single_day", 0.27, "It was not growing before this jump."],
    [-2, "single_day", 0.27, "It was shrinking 2.0% a week before this jump."],
  ])("labels a rise after %d percent a week as %s", (percent, label, held_chance, reason) => {
    const past = createHistory(20, percent, 1_000_000);
    const whole = { label, held_chance, reason: `${reason} ${formatChance(100 * held_chance)}` };
    expect(classify(past, 1_000_000)).toEqual(whole);
    expect(classify(past.toReversed(), 1_000_000)).toEqual(whole);
  });

  it("measures weekly growth over a longer time when the last week is missing", () => {
    const past = createHistory(28, 8, 1_000_000).filter(
      ({ day }) => day < addDays(DAY, -8) || day === addDays(DAY, -1),
    );
    expect(classify(past, 1_000_000).reason).toMatch(/^It was growing 8\.0% a week before/);
  });

  it("labels a rise back to a count of the 28 days before as a recovery", () => {
    const fallen = createHistory(20, 0, 1000).with(2, createSnapshot(addDays(DAY, -18), 1200));
    expect(classify(fallen, 1000, 1200)).toMatchObject({ label: "recovery", held_chance: 0.14 });
    expect(classify(fallen, 1000, 1201).label).toBe("single_day");
  });
});

describe("shown outcome", () => {
  it.each([
    [null, null, null],
    ["held", null, "held"],
    ["held", "faded", "faded"],
    ["faded", "held", "held"],
    ["held", "unclear", "held"],
    ["unclear", "unclear", "unclear"],
    [null, "unclear", "unclear"],
  ] as const)("combines %s after 7 days and %s after 28 days into %s", (first, second, shown) => {
    expect(selectShownOutcome(first, second)).toBe(shown);
  });
});

describe("alert texts", () => {
  const runs = useDailyRuns();
  const { service } = runs;

  it.each([
    [10_000, 11_497, 14.9, "14.9", "WATCH"],
    [10_000, 11_500, 15, "15.0", "RISING FAST"],
    [100, 1_000_000, 999_900, "999,900.0", "EXPLOSIVE"],
  ])(
    "shows growth from %i to %i with the same percent in list, email and post",
    async (before, after, percent, text, severity) => {
      const { key } = await runs.createMailedKey();
      await runs.makeAlert(key.id, before, after);
      await service.catchUp();
      await service.drain();
      const [alert] = (await listAlerts(service, key.id, { offset: 0, limit: 1 })).alerts;
      const sentence = `grew ${text}% in one day`;
      expect(alert).toMatchObject({ percent, severity, message: expect.stringContaining(sentence) });
      const sent = runs.mailService.tries.at(-1)?.sent;
      expect(sent?.subject).toMatch(new RegExp(`^${severity}: .* ${sentence}$`));
      for (const part of [sent?.html, sent?.text]) expect(part).toContain(sentence);
      const post = { severity, message: expect.stringContaining(sentence) };
      expect(runs.channel.posts.at(-1)).toMatchObject(post);
    },
  );

  it("shows the same outlook and reason in list, email and post", async () => {
    const key = await createKey(service);
    await setAlertEmail(service, key.id, "scout@example.com");
    const id = createChannelId(9000);
    await trackUnread(service, key.id, [id]);
    for (let back = 16; back >= 1; back--) {
      const day = addDays(runs.day, 17 - back);
      runs.platform.show(id, day, 10_000 - 100 * back);
      await runs.run(day);
    }
    const last = addDays(runs.day, 17);
    runs.platform.show(id, last, 12_000);
    await runs.run(last);
    const [alert] = (await listAlerts(service, key.id, { offset: 0, limit: 1 })).alerts;
    const reason = `It was growing 7.6% a week before this jump. ${formatChance(48)}`;
    expect(alert).toMatchObject({ label: "sustained", reason, held_chance: 0.48, outcome: null });
    const sent = runs.mailService.tries.at(-1)?.sent;
    expect(sent?.text).toContain(`Sustained. ${reason}`);
    expect(runs.channel.posts.at(-1)?.outlook).toBe(`Sustained. ${reason}`);
  });
});
