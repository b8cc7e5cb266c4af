import { describe, expect, it } from "vitest";
import { addDays, type Day, startOfDay } from "@/core/time";
import { trackUnread } from "@/features/creators/service";
import type { PastReading } from "@/features/growth/rules";
import { setAlertEmail } from "@/features/notifications/addresses.service";
import { useDailyRuns } from "@/test/daily-run";
import { channelId } from "@/test/platform";
import { createKey } from "@/test/service";
import { judgeRise, shownOutcome } from "./rules";
import { listAlerts } from "./service";

const DAY = "2026-06-29";

/** Daily readings up to the day before, with weekly growth in percent up to the count `before`. */
function rising(days: number, percentAWeek: number, before: number, dailyViews = 100): PastReading[] {
  return Array.from({ length: days }, (_, at) => {
    const back = days - at;
    const subscribers = Math.round(before / (1 + percentAWeek / 100) ** ((back - 1) / 7));
    return readingOf(addDays(DAY, -back), subscribers, 10_000 + at * dailyViews);
  });
}

function readingOf(day: Day, subscribers: number | null, views: number | null): PastReading {
  return { day, readAt: startOfDay(day), subscribers, views };
}

const judge = (past: PastReading[], before: number, views: number | null = null) =>
  judgeRise(DAY, past, { before, views });

describe("judging a rise", () => {
  it.each([
    [1, "Only 1 day of snapshots before this jump. It takes 14 to tell a rise from a spike."],
    [13, "Only 13 days of snapshots before this jump. It takes 14 to tell a rise from a spike."],
  ])("is too early after %i day(s) of readings", (days, reason) => {
    expect(judge(rising(days, 50, 1000), 1000)).toEqual({ label: "too_early", reason });
  });

  it("needs 14 days of readings, not counting gaps and hidden counts", () => {
    const days = rising(28, 50, 100_000);
    const known = (count: number) => days.slice(-count);
    expect(judge(known(14), 100_000).label).toBe("sustained");
    const hidden = known(14).map((reading, at) => (at === 3 ? { ...reading, subscribers: null } : reading));
    expect(judge(hidden, 100_000).label).toBe("too_early");
    expect(judge([...hidden, ...days.slice(0, 1)], 100_000).label).toBe("sustained");
  });

  it("ignores readings older than 28 days, of the day itself or later", () => {
    const old = Array.from({ length: 14 }, (_, at) => readingOf(addDays(DAY, -29 - at), 1000, null));
    const late = Array.from({ length: 14 }, (_, at) => readingOf(addDays(DAY, at), 1000, null));
    expect(judge([...old, ...late], 1000).label).toBe("too_early");
  });

  it.each([
    [37.3, "sustained", "It was growing 37.3% a week before this jump."],
    [5.1, "sustained", "It was growing 5.1% a week before this jump."],
    [4.9, "spike", "It was growing 4.9% a week before this jump."],
    [0, "spike", "It was not growing before this jump."],
    [-2, "spike", "It was shrinking 2.0% a week before this jump."],
  ])("after weekly growth of %d percent is %s", (percent, label, reason) => {
    const past = rising(20, percent, 1_000_000);
    const hidden = past.map((reading) => ({ ...reading, views: null }));
    expect(judge(hidden, 1_000_000)).toEqual({ label, reason });
    expect(judge(hidden.toReversed(), 1_000_000).label).toBe(label);
  });

  it("measures weekly growth over a longer time when the reading of a week before is missing", () => {
    const past = rising(28, 8, 1_000_000).filter(
      ({ day }) => day < addDays(DAY, -14) || day > addDays(DAY, -8),
    );
    expect(judge(past, 1_000_000).reason).toMatch(/^It was growing 8\.0% a week before/);
  });

  it("is sustained for a slowly growing channel when daily views rose by half", () => {
    const past = rising(28, 2, 1_000_000, 100);
    const atDay = (dailyViews: number) => 10_000 + 21 * 100 + 7 * dailyViews;
    expect(judge(past, 1_000_000, atDay(151))).toEqual({
      label: "sustained",
      reason:
        "It was growing 2.0% a week before this jump. Its daily views were 1.5 times those of the weeks before.",
    });
    expect(judge(past, 1_000_000, atDay(149)).label).toBe("spike");
    expect(judge(rising(28, 0, 1_000_000), 1_000_000, atDay(900)).label).toBe("spike");
  });

  it("ignores total views that fell, as they do when videos are deleted", () => {
    const past = rising(28, 2, 1_000_000);
    expect(judge(past, 1_000_000, 5).reason).toBe("It was growing 2.0% a week before this jump.");
  });
});

describe("the outcome that is shown", () => {
  it.each([
    [null, null, null],
    ["held", null, "held"],
    ["held", "faded", "faded"],
    ["faded", "held", "held"],
    ["held", "unclear", "held"],
    ["unclear", "unclear", "unclear"],
    [null, "unclear", "unclear"],
  ] as const)("of %s after 7 days and %s after 28 is %s", (first, second, shown) => {
    expect(shownOutcome(first, second)).toBe(shown);
  });
});

describe("an alert of the daily run", () => {
  const runs = useDailyRuns();
  const { service } = runs;

  it.each([
    [10_000, 11_497, 14.9, "14.9", "WATCH"],
    [10_000, 11_500, 15, "15.0", "RISING FAST"],
    [100, 1_000_000, 999_900, "999,900.0", "EXPLOSIVE"],
  ])(
    "from %i to %i carries the same percent in list, mail and post",
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

  it("carries the same label and reason in list, mail and post", async () => {
    const key = await createKey(service);
    await setAlertEmail(service, key.id, "scout@example.com");
    const id = channelId(9000);
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
    const reason = "It was growing 7.6% a week before this jump.";
    expect(alert).toMatchObject({ label: "sustained", reason, outcome: null });
    const sent = runs.mailService.tries.at(-1)?.sent;
    expect(sent?.text).toContain(`Looks sustained. ${reason}`);
    expect(runs.channel.posts.at(-1)?.judged).toBe(`Looks sustained. ${reason}`);
  });
});
