import { createHash } from "node:crypto";

/** A day that gains or loses more than usual. */
export interface SampleEvent {
  /** Whole days since the start of all histories; the change comes within the 24 hours before. */
  day: number;
  /** Days after which it comes again. */
  every?: number;
  /** By which the subscribers change. */
  factor: number;
  /** A number from which the videos behind it follow. */
  cause: number;
  /** What follows over the days after, as a share of the change. */
  afterglow: number;
  /** Natural logarithm of the growth on each of the 21 days before. */
  lead: number;
}

/** What a simulated channel's history follows from. */
export interface GrowthPlan {
  seed: number;
  /** Growth up to the first day, as a logarithm. */
  start: number;
  /** Usual growth of a day, as a logarithm. */
  pace: number;
  /** Views of a subscriber on a usual day. */
  views: number;
  events: readonly SampleEvent[];
  /** Takes the place of the growth by chance: the growth of each day, as a logarithm. */
  steady?(day: number): number;
}

/** Totals at the end of each day: the logarithm of the growth, and the views by subscriber of the start. */
interface Totals {
  growth: number[];
  views: number[];
}

/** No channel grows faster on a usual day. */
const MAX_PACE = 0.03;
/** In a spell of loss a channel gives back its gains at this pace, by their size. */
const LOSS = { share: 1 / 2000, days: 100, below: -0.5 };
/** By how much the logarithm of the pace swings, and over how many days: seasons, weeks and single days. */
const SWINGS = [
  { days: 80, size: 2.6 },
  { days: 24, size: 2.2 },
  { days: 6, size: 0.9 },
] as const;
const WEEKEND = 0.2;
/** A channel that has reached its audience: above this growth, a logarithm, it shrinks back over about these days. */
const CEILING = { growth: 2.2, days: 150 };
const LEAD_DAYS = 21;
const AFTERGLOW_DAYS = 9;
/** Views by subscriber that is gained. */
const VIEWS_PER_GAIN = 50;

/**
 * A channel's history, computed up to the day that is asked for. Most days are quiet; growth comes in spells of some weeks
 * that fade, as on real channels, and what was gained above the usual size slowly goes.
 */
export class SampleHistory {
  readonly #totals: Totals;

  constructor(readonly plan: GrowthPlan) {
    this.#totals = { growth: [plan.start], views: [0] };
  }

  /** @param age days since the start of all histories */
  getTotals(age: number): { growth: number; views: number } {
    const day = Math.floor(age);
    while (this.#totals.growth.length < day + 2) this.#addDay();
    const at = (totals: readonly number[]) => {
      const [before, after] = [totals[day] ?? 0, totals[day + 1] ?? 0];
      return before + (after - before) * (age - day);
    };
    return { growth: at(this.#totals.growth), views: at(this.#totals.views) };
  }

  #addDay(): void {
    const { growth, views } = this.#totals;
    const day = growth.length;
    const [before, seen] = [growth.at(-1) ?? 0, views.at(-1) ?? 0];
    const { plan } = this;
    const gain = plan.steady?.(day) ?? computeGain(plan, day, before);
    growth.push(before + gain);
    const interest = 1 + 0.3 * computeNoise(plan.seed ^ 0x5bd1e995, day / 3);
    views.push(seen + Math.exp(before) * interest * (plan.views + VIEWS_PER_GAIN * Math.max(0, gain)));
  }
}

function computeGain(plan: GrowthPlan, day: number, gained: number): number {
  const isLosing = computeNoise(~plan.seed, day / LOSS.days) < LOSS.below;
  const usual = isLosing ? -Math.max(0, gained) * LOSS.share : computePace(plan, day);
  const tooMuch = Math.max(0, gained - CEILING.growth) / CEILING.days;
  return usual - tooMuch + computeEvents(plan.events, day);
}

function computePace({ seed, pace }: GrowthPlan, day: number): number {
  let swing = Math.log(pace);
  for (const { days, size } of SWINGS) swing += size * computeNoise(seed + days, day / days);
  const wild = Math.exp(swing) * (1 + WEEKEND * Math.sin((2 * Math.PI * day) / 7));
  return wild / (1 + wild / MAX_PACE);
}

function computeEvents(events: readonly SampleEvent[], day: number): number {
  let gain = 0;
  for (const event of events) {
    const since = countDaysSince(event, day);
    const change = Math.log(event.factor);
    if (since === 0) gain += change;
    else if (since > 0 && since < 6 * AFTERGLOW_DAYS)
      gain += (change * event.afterglow * Math.exp(-since / AFTERGLOW_DAYS)) / AFTERGLOW_DAYS;
    else if (since < 0 && since >= -LEAD_DAYS) gain += event.lead;
  }
  return gain;
}

/** Days since the latest event, or since the next one, less than zero, in the days that lead to it. */
function countDaysSince({ day, every }: SampleEvent, now: number): number {
  const since = now - day;
  return every ? ((((since + LEAD_DAYS) % every) + every) % every) - LEAD_DAYS : since;
}

/** From -1 to 1, linear between whole numbers. */
function computeNoise(seed: number, at: number): number {
  const from = Math.floor(at);
  const [before, after] = [toNoise(seed, from), toNoise(seed, from + 1)];
  return before + (after - before) * (at - from);
}

function toNoise(seed: number, number: number): number {
  let mixed = Math.imul(seed ^ Math.imul(number, 0x9e3779b1), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 31 - 1;
}

/** Bytes that follow from some words. */
export function hash(...words: readonly (string | number)[]): Buffer {
  return createHash("sha256").update(words.join(" ")).digest();
}

/** A number from 0 to 1 that follows from some words. */
export function toShare(...words: readonly (string | number)[]): number {
  return hash(...words).readUInt32BE() / 2 ** 32;
}
