import { addDays, type Day, HOUR, utcDay } from "@/core/time";
import type { Tier } from "@/db/values";
import { TIER_LIMITS } from "@/features/usage/tiers.rules";
import { channelId } from "./platform";
import type { Shown } from "./world";

/** A key, as far as its owner can see it. */
export interface ModelKey {
  tier: Tier;
  stands: boolean;
  usedToday: number;
  email: string | null;
  tracked: Map<number, Date>;
  alerts: { channel: number; createdOn: Day; message: string }[];
}

interface Reading {
  count: number | null;
  at: Date;
  isDaily: boolean;
}

/** What the service promises, as sets and counters: the whole of it that keys can see. */
export class Model {
  readonly keys: ModelKey[];
  shown: readonly Shown[] = [];
  readings = new Map<string, Reading>();
  /** Channels of the day's run, null before it is planned, and whether they have been read. */
  batch: number[] | null = [];
  isRead = true;
  /** When each day's run was planned. */
  begunAt = new Map<Day, Date>();
  mails: string[] = [];

  /** @param keys how many there are, all new */
  constructor(keys: number) {
    this.keys = Array.from({ length: keys }, () => ({
      tier: "free",
      stands: true,
      usedToday: 0,
      email: null,
      tracked: new Map(),
      alerts: [],
    }));
  }

  key(number: number): ModelKey {
    const key = this.keys[number];
    if (!key) throw new RangeError(`there is no key ${number}`);
    return key;
  }

  /** A request's status before it is understood. */
  admit(key: ModelKey): number {
    if (!key.stands) return 401;
    if (key.usedToday >= TIER_LIMITS[key.tier]) return 429;
    key.usedToday += 1;
    return 200;
  }

  reading(channel: number, day: Day): Reading | undefined {
    return this.readings.get(`${channel} ${day}`);
  }

  read(channel: number, at: Date, isDaily: boolean): boolean {
    const shown = this.shown[channel] ?? "gone";
    if (shown === "gone") return false;
    const count = shown === "hidden" ? null : shown;
    this.readings.set(`${channel} ${utcDay(at)}`, { count, at, isDaily });
    return true;
  }

  track(key: ModelKey, channel: number, at: Date): boolean {
    if ((this.shown[channel] ?? "gone") === "gone") return false;
    if (!this.reading(channel, utcDay(at))) this.read(channel, at, false);
    if (!key.tracked.has(channel)) key.tracked.set(channel, at);
    return true;
  }

  /** The day's run, as far as it is open. Nothing is read where the platform is down. */
  run(at: Date, isDown: boolean): void {
    const standing = this.keys.filter(({ stands }) => stands);
    if (!this.batch) this.begunAt.set(utcDay(at), at);
    this.batch ??= [...new Set(standing.flatMap(({ tracked }) => [...tracked.keys()]))];
    if (this.isRead || (isDown && this.batch.length > 0)) return;
    this.isRead = true;
    for (const channel of this.batch) if (this.read(channel, at, true)) this.alert(channel, at);
  }

  /** When a reading was taken as far as a key is concerned that tracks its channel since then; null where it is none of its. */
  baselineAt({ at, isDaily }: Reading, since: Date): Date | null {
    const day = utcDay(at);
    if (isDaily && (this.begunAt.get(day) ?? at) >= since) return at;
    // It would have had its own taken when it began to track; else its day was missed.
    return utcDay(since) === day ? since : null;
  }

  alert(channel: number, at: Date): void {
    const day = utcDay(at);
    const [before, after] = [this.reading(channel, addDays(day, -1)), this.reading(channel, day)];
    if (!before?.count || !after?.count) return;
    if (after.count * 10 <= before.count * 11) return;
    const exact = (100 * (after.count - before.count)) / before.count;
    const rounded = Math.round(10 * exact) / 10;
    const isBelowBound = [10, 15, 25, 50].includes(rounded) && exact < rounded;
    const percent = isBelowBound ? rounded - 0.1 : rounded;
    const counts = `${before.count.toLocaleString("en-US")} → ${after.count.toLocaleString("en-US")}`;
    const name = `Channel ${channelId(channel).slice(-4)}`;
    const message = `${name} grew ${percent.toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 })}% in one day (${counts})`;
    for (const key of this.keys) {
      const since = key.tracked.get(channel);
      if (!key.stands || !since || utcDay(since) >= day) continue;
      const baselineAt = this.baselineAt(before, since);
      if (!baselineAt || after.at.getTime() - baselineAt.getTime() > 36 * HOUR) continue;
      key.alerts.push({ channel, createdOn: day, message });
      if (key.email) this.mails.push(key.email);
    }
  }
}
