import { describe, expect, it } from "vitest";
import { DAY, HOUR, toDate } from "@/core/time";
import type { ChannelVideo } from "@/platform/port";
import { computeUploadsPerWeek, computeUsualViews, formatAge, formatTimes, getVideoForm, toPlainTitle } from "./rules";

const AT = toDate("2026-11-24T06:00:00Z");

const makeVideo = (hoursAgo: number, views: number | null, seconds = 600): ChannelVideo => ({
  videoId: `${hoursAgo} ${seconds}`,
  title: "",
  publishedAt: toDate(AT.getTime() - hoursAgo * HOUR),
  views,
  likes: null,
  comments: null,
  seconds,
  broadcast: null,
  thumbnailUrl: null,
});

describe("usual views", () => {
  const month = [200, 300, 400, 500].map((hours) => makeVideo(hours, 1000));

  it("are less for a younger video", () => {
    const usual = [1, 6, 24, 72, 200].map((hours) => computeUsualViews(makeVideo(hours, 5), month, AT) ?? 0);
    expect(usual).toEqual(usual.toSorted((one, other) => one - other));
    expect(usual.at(-1)).toBeGreaterThan(700);
  });

  it("compare Shorts with Shorts when there are three, and otherwise with all", () => {
    const shorts = [210, 310, 410].map((hours) => makeVideo(hours, 10, 40));
    const short = makeVideo(200, 5, 30);
    expect(computeUsualViews(short, [...month, ...shorts], AT)).toBeLessThan(11);
    expect(computeUsualViews(short, [...month, ...shorts.slice(1)], AT)).toBeGreaterThan(500);
  });

  it("are unknown without another video whose views are shown", () => {
    const video = makeVideo(20, 5);
    expect(computeUsualViews(video, [video, makeVideo(30, null)], AT)).toBeNull();
  });
});

it("a Short is up to three minutes long, and a stream is none", () => {
  expect(getVideoForm({ seconds: 180, broadcast: null })).toBe("short");
  expect(getVideoForm({ seconds: 181, broadcast: null })).toBe("long");
  expect(getVideoForm({ seconds: null, broadcast: null })).toBe("long");
  expect(getVideoForm({ seconds: 60, broadcast: "ended" })).toBe("live");
});

it("uploads a week are counted over 28 days, and over less where 50 videos do not reach back", () => {
  const every = (hours: number, count: number) =>
    Array.from({ length: count }, (_, at) => makeVideo(1 + hours * at, 1));
  expect(computeUploadsPerWeek([], AT)).toBeNull();
  expect(computeUploadsPerWeek(every(84, 20), AT)).toBe(2);
  expect(computeUploadsPerWeek(every(2.4, 50), AT)).toBeCloseTo(70, -1);
});

it.each([
  [0, "1 hour"],
  [31 * HOUR, "31 hours"],
  [47.4 * HOUR, "47 hours"],
  [2 * DAY, "2 days"],
  [6.6 * DAY, "7 days"],
])("an age of %i ms reads %s", (age, text) => {
  expect(formatAge(age)).toBe(text);
});

it.each([
  [3, "3 times"],
  [6.44, "6.4 times"],
  [23.6, "24 times"],
  [12_345, "12,345 times"],
])("%d times the usual reads %s", (times, text) => {
  expect(formatTimes(times)).toBe(text);
});

describe("title in plain text", () => {
  it.each([
    ["is on one line, without control characters", "a\u0000b\n\n c", "a b c"],
    ["cannot turn the text around it", "\u202eevil\u2066", "evil"],
    ["keeps markup, which the page escapes", "<b>x</b> & y", "<b>x</b> & y"],
    ["is named when empty", " \u200f ", "Untitled video"],
    ["is isolated when written from right to left", "מה קרה?", "\u2068מה קרה?\u2069"],
    ["is cut to 80 characters", "x".repeat(100), `${"x".repeat(79)}…`],
    ["is not cut within an emoji", "👩‍👩‍👧".repeat(81), `${"👩‍👩‍👧".repeat(79)}…`],
  ])("%s", (_, title, plain) => {
    expect(toPlainTitle(title)).toBe(plain);
  });
});
