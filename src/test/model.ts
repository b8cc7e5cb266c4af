import { addDays, type Day, HOUR, toUtcDay } from "@/core/time";
import type { Tier } from "@/db/values";
import { TIER_RULES } from "@/features/usage/tiers.rules";
import { createChannelId } from "./platform";
import type { Shown } from "./world";

/** A key as its owner sees it. */
export interface ModelKey {
  tier: Tier;
  isActive: boolean;
  usedToday: number;
  email: string | null;
  tracked: Map<number, Date>;
  alerts: { channel: number; createdOn: Day; message: string }[];
}

interface ModelSnapshot {
  count: number | null;
  at: Date;
  isDaily: boolean;
}

/** A model of the service: everything that keys can see, as sets and counters. */
export class Model {
  readonly keys: ModelKey[];
  shown: readonly Shown[] = [];
  snapshots = new Map<string, ModelSnapshot>();
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
      isActive: true,
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

  /** A request's status before its parameters are checked. */
  admit(key: ModelKey): number {
    if (!key.isActive) return 401;
    if (key.usedToday >= TIER_RULES[key.tier].requestsPerDay) return 429;
    key.usedToday += 1;
    return 200;
  }

  getSnapshot(channel: number, day: Day): ModelSnapshot | undefined {
    return this.snapshots.get(`${channel} ${day}`);
  }

  read(channel: number, at: Date, isDaily: boolean): boolean {
    const shown = this.shown[channel] ?? "gone";
    if (shown === "gone") return false;
    const count = shown === "hidden" ? null : shown;
    this.snapshots.set(`${channel} ${toUtcDay(at)}`, { count, at, isDaily });
    return true;
  }

  track(key: ModelKey, channel: number, at: Date): boolean {
    if ((this.shown[channel] ?? "gone") === "gone") return false;
    if (!this.getSnapshot(channel, toUtcDay(at))) this.read(channel, at, false);
    if (!key.tracked.has(channel)) key.tracked.set(channel, at);
    return true;
  }

  /** Runs what is left of the day's run. Reads nothing while the platform is down. */
  run(at: Date, isDown: boolean): void {
    const activeKeys = this.keys.filter(({ isActive }) => isActive);
    if (!this.batch) this.begunAt.set(toUtcDay(at), at);
    this.batch ??= [...new Set(activeKeys.flatMap(({ tracked }) => [...tracked.keys()]))];
    if (this.isRead || (isDown && this.batch.length > 0)) return;
    this.isRead = true;
    for (const channel of this.batch) if (this.read(channel, at, true)) this.alert(channel, at);
  }

  /** When a snapshot was taken for a key that tracks since `since`; null when it is not the key's. */
  baselineAt({ at, isDaily }: ModelSnapshot, since: Date): Date | null {
    const day = toUtcDay(at);
    if (isDaily && (this.begunAt.get(day) ?? at) >= since) return at;
    // A key's first snapshot is taken when it begins to track; without one the day was missed.
    return toUtcDay(since) === day ? since : null;
  }

  alert(channel: number, at: Date): void {
    const day = toUtcDay(at);
    const [before, after] = [this.getSnapshot(channel, addDays(day, -1)), this.getSnapshot(channel, day)];
    if (!before?.count || !after?.count) return;
    if (after.count * 10 <= before.count * 11) return;
    const exact = (100 * (after.count - before.count)) / before.count;
    const rounded = Math.round(10 * exact) / 10;
    const isBelowBound = [10, 15, 25, 50].includes(rounded) && exact < rounded;
    const percent = isBelowBound ? rounded - 0.1 : rounded;
    const counts = `${before.count.toLocaleString("en-US")} → ${after.count.toLocaleString("en-US")}`;
    const name = `Channel ${createChannelId(channel).slice(-4)}`;
    const message = `${name} grew ${percent.toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 })}% in one day (${counts})`;
    for (const key of this.keys) {
      const since = key.tracked.get(channel);
      if (!key.isActive || !since || toUtcDay(since) >= day) continue;
      const baselineAt = this.baselineAt(before, since);
      if (!baselineAt || after.at.getTime() - baselineAt.getTime() > 36 * HOUR) continue;
      key.alerts.push({ channel, createdOn: day, message });
      if (key.email) this.mails.push(key.email);
    }
  }
}
