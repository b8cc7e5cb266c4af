import { and, asc, eq } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays, type Day, SECOND, toDate } from "@/core/time";
import { alerts, deliveries } from "@/db/schema";
import { isWaiting } from "@/features/creators/rules";
import type { TrackedTable } from "@/features/creators/table.service";
import { rotateKey } from "@/features/keys/rotation.service";
import { deleteKey, revokeKey, setTier } from "@/features/keys/service";
import { createCases } from "@/test/cases";
import { type Console, type ConsoleAnswer, openConsole } from "@/test/console";
import { createChannelId, type FakePlatform } from "@/test/platform";
import { send } from "@/test/request";
import { createKey, type TestKey, useService } from "@/test/service";
import { createSmallPlatform, forgetAll, type Shown, showAll } from "@/test/world";

const CHANNELS = 4;
const DAYS = 6;
/** Days after which the latest alerts are graded. */
const GRADED_AFTER = 7;
const OWNERS = ["mine", "rival", "other"] as const;
type Owner = (typeof OWNERS)[number];

const TRACK = "track untrack history".split(" ");
const PLAIN = "list alerts email setEmail clearEmail usage discover".split(" ");
const END = "rotate revoke delete upgrade".split(" ");

const channel = fc.nat(CHANNELS - 1);
const via = fc.constantFrom("rest" as const, "console" as const);
const deed = fc.oneof(
  { weight: 5, arbitrary: fc.record({ act: fc.constantFrom(...TRACK), channel }) },
  { weight: 5, arbitrary: fc.record({ act: fc.constantFrom(...PLAIN), channel }) },
);
const shown: fc.Arbitrary<Shown> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(1000, 1100, 1101, 1210, 1240, 1600, 2500) },
  { weight: 1, arbitrary: fc.constantFrom("hidden" as const, "gone" as const) },
);

/** One event of a scenario. Nights and runs affect every key; the operator changes single keys. */
const step = fc.oneof(
  { weight: 9, arbitrary: fc.record({ owner: fc.constantFrom(...OWNERS), via, deed }) },
  { weight: 3, arbitrary: fc.record({ event: fc.constantFrom("night" as const, "run" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      operator: fc.constantFrom(...END),
      on: fc.constantFrom("rival" as const, "other" as const),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
type Deed = typeof deed extends fc.Arbitrary<infer D> ? D : never;

const world = fc.record({
  /** The subscribers of each channel on each day. */
  counts: fc.array(fc.array(shown, { minLength: CHANNELS, maxLength: CHANNELS }), {
    minLength: DAYS,
    maxLength: DAYS,
  }),
  tracked: fc.record({
    mine: fc.subarray([0, 1, 2, 3], { minLength: 1 }),
    rival: fc.subarray([0, 1, 2, 3]),
    other: fc.subarray([0, 1, 2, 3]),
  }),
  steps: fc.array(step, { minLength: 6, maxLength: 16 }),
  /** Channels that the first key untracks before its alerts are graded. */
  left: fc.subarray([0, 1, 2, 3]),
});
type World = typeof world extends fc.Arbitrary<infer W> ? W : never;

interface Party {
  key: TestKey;
  console: Console | null;
}

describe("key data", () => {
  let platform: FakePlatform;
  const service = useService({
    platform: (clock) => {
      platform = createSmallPlatform(clock, CHANNELS);
      return platform;
    },
    variables: () => ({ CREATORS_PER_STEP: "50" }),
  });
  /** Each world has its own days, because the job engine remembers past ones. */
  let firstDay: Day = "2026-04-01";

  /** Plays a scenario in which only some owners act. @returns all answers to the first of them */
  async function simulateLife({ counts, tracked, steps, left }: World, present: readonly Owner[]): Promise<unknown[]> {
    await forgetAll(service.db);
    firstDay = addDays(firstDay, DAYS + GRADED_AFTER + 3);
    let day = firstDay;
    /** Before the daily run, only keys that began to track that day have its snapshot. */
    let hasRun = true;
    let at = 12 * 3600;
    const moveTo = (seconds: number) => {
      at = seconds;
      service.clock.set(toDate(toDate(`${day}T00:00:00Z`).getTime() + at * SECOND));
    };
    for (const [number, row] of counts.entries()) showAll(platform, addDays(firstDay, number), row);
    moveTo(at);
    const parties = {} as Record<Owner, Party>;
    for (const owner of OWNERS) parties[owner] = { key: await createKey(service), console: null };
    const answers: unknown[] = [];

    async function run(): Promise<void> {
      moveTo(6 * 3600);
      await fire("plan-day");
      moveTo(7 * 3600);
      hasRun = true;
    }

    async function runStep(what: Step): Promise<void> {
      moveTo(at + 1);
      if ("event" in what) {
        if (!hasRun) return run();
        if (what.event === "run" || day === addDays(firstDay, DAYS - 1)) return;
        day = addDays(day, 1);
        hasRun = false;
        return moveTo(2 * 3600);
      }
      if ("operator" in what) {
        if (present.includes(what.on)) await runOperation(what.operator, parties[what.on].key);
        return;
      }
      if (!present.includes(what.owner)) return;
      const answer = await performDeed(what.owner, parties[what.owner], what.via, what.deed);
      if (what.owner === "mine") answers.push([what.deed.act, pickOwnPart(answer)]);
    }

    for (const owner of OWNERS)
      for (const number of tracked[owner]) {
        moveTo(at + 1);
        if (!present.includes(owner)) continue;
        const answer = await performDeed(owner, parties[owner], "rest", { act: "track", channel: number });
        if (owner === "mine") answers.push(pickOwnPart(answer));
      }
    for (const what of steps) await runStep(what);
    if (!hasRun) await run();
    for (const number of left) await performDeed("mine", parties.mine, "rest", { act: "untrack", channel: number });
    day = addDays(day, GRADED_AFTER);
    await run();
    await fire("grade-alerts");
    answers.push(...(await readEverything(parties.mine)));
    return toRelativeDays(answers, firstDay);
  }

  async function fire(job: string): Promise<void> {
    service.engine.fireCron(`creator-growth-${job}`, service.clock.now());
    await service.drain();
  }

  async function performDeed(owner: Owner, party: Party, door: "rest" | "console", what: Deed): Promise<Answered> {
    const id = createChannelId(what.channel);
    const email = `${owner}${what.channel}@mail.example`;
    const { key } = party;
    if (door === "console") {
      party.console ??= await openConsole(key.secret);
      const { query, change } = party.console;
      const calls: Record<string, () => ReturnType<Console["query"]>> = {
        track: () => change("creators.track", { channel_id: id }),
        untrack: () => change("creators.untrack", { channel_id: id }),
        history: () => query("creators.history", { channel_id: id }),
        list: () => query("creators.tracked", { sort: "tracked_since" }).then(sortTable),
        alerts: () => query("alerts.list", { limit: 100 }),
        email: () => query("addresses.get"),
        setEmail: () => change("addresses.set", { email }),
        clearEmail: () => change("addresses.clear"),
        usage: () => query("usage.byDay"),
        discover: () => change("discovery.discover", { niche: `niche ${what.channel}` }),
      };
      const answer = await calls[what.act]?.();
      return { act: what.act, status: answer?.status ?? 0, body: answer?.body, rates: null };
    }
    const requests: Record<string, Parameters<typeof send>> = {
      track: ["/api/track", { method: "POST", body: { channel_id: id } }],
      untrack: [`/api/track/${id}`, { method: "DELETE" }],
      history: [`/api/track/${id}/history`, {}],
      list: ["/api/track", {}],
      alerts: ["/api/alerts?limit=100", {}],
      email: ["/api/alerts/email", {}],
      setEmail: ["/api/alerts/email", { method: "POST", body: { email } }],
      clearEmail: ["/api/alerts/email", { method: "DELETE" }],
      usage: ["/api/usage", {}],
      discover: [`/api/discover?niche=niche%20${what.channel}`, {}],
    };
    const [path = "", options] = requests[what.act] ?? [];
    const { status, body, headers } = await send(path, { key: key.secret, ...options });
    return { act: what.act, status, body, rates: headers.get("ratelimit") };
  }

  async function runOperation(what: string, party: TestKey): Promise<void> {
    const verbs: Record<string, () => Promise<unknown>> = {
      rotate: async () => {
        party.secret = (await rotateKey(service, party.id)).secret;
      },
      revoke: () => revokeKey(service, party.id),
      delete: () => deleteKey(service, party.id),
      upgrade: () => setTier(service, party.id, "pro"),
    };
    // A revoked or deleted key cannot be revoked or deleted again.
    await verbs[what]?.().catch(() => {});
  }

  /** All data of a key through every interface, and what was sent for its alerts. */
  async function readEverything(party: Party): Promise<unknown[]> {
    const all: unknown[] = [];
    for (const name of ["list", "alerts", "email", "usage"])
      for (const door of ["rest", "console"] as const)
        all.push(pickOwnPart(await performDeed("mine", party, door, { act: name, channel: 0 })));
    const sent = await service.db
      .select({
        channelId: alerts.channelId,
        day: alerts.day,
        destination: deliveries.destination,
        recipient: deliveries.recipient,
        status: deliveries.status,
      })
      .from(alerts)
      .innerJoin(deliveries, and(eq(deliveries.alertId, alerts.id)))
      .where(eq(alerts.keyId, party.key.id))
      .orderBy(asc(alerts.day), asc(alerts.channelId), asc(deliveries.destination));
    return [...all, sent];
  }

  it("is the same with and without activity of other keys", { timeout: 0 }, async () => {
    const property = fc.asyncProperty(world, async (drawn) => {
      const alone = await simulateLife(drawn, ["mine"]);
      const among = await simulateLife(drawn, OWNERS);
      expect(among).toEqual(alone);
      expect(JSON.stringify(among)).not.toMatch(/rival|other\d|\bkey_|\bcg_/);
    });
    await fc.assert(property, createCases(8, 1000));
  });
});

interface Answered {
  act: string;
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape, whose parts are compared
  body: any;
  rates: string | null;
}

/**
 * What of an answer belongs to the key alone. Facts of channels are public and may be fresher where another key has
 * them read; what is derived of them and of the niches may be, too.
 */
function pickOwnPart({ act, status, body, rates }: Answered): unknown {
  expect(status, JSON.stringify(body)).toBeLessThan(act === "discover" ? 504 : 500);
  if (act === "discover") return { rates };
  if (status !== 200) return { status, body, rates };
  if (act === "track")
    return {
      status,
      rates,
      creator: [body.creator.channel_id, body.creator.tracked_since, body.creator.last_snapshot_at],
      message: body.message,
    };
  if (act === "list") {
    const creators = body.creators.map((creator: Record<string, unknown>) => [
      creator.channel_id,
      creator.tracked_since,
      creator.last_snapshot_at,
      creator.trend,
    ]);
    return { rates, pagination: body.pagination, creators };
  }
  if (act === "history") return { rates, channel_id: body.channel_id, history: body.history };
  if (act === "alerts") {
    // The outlook, and whether a count stood still before, depend on snapshots that other keys caused.
    const own = body.alerts.map(
      ({ id, label: _, reason: __, held_chance: ___, certain: ____, ...alert }: Record<string, string>) => alert,
    );
    // Ids are random, and those of one instant come in any order.
    const order = ({ created_at, channel_id }: Record<string, string>) => `${created_at} ${channel_id}`;
    own.sort((one: typeof own, other: typeof own) => (order(one) < order(other) ? 1 : -1));
    return { rates, pagination: body.pagination, alerts: own };
  }
  return { rates, body };
}

type Row = TrackedTable["creators"][number];

/**
 * Expects the order of the console's table: measured creators, then the others, each the latest tracked first. Snapshots that
 * other keys caused may measure a creator, so the rows are compared by the start of tracking alone.
 */
function sortTable(answer: ConsoleAnswer): ConsoleAnswer {
  if (answer.status !== 200) return answer;
  const rows: Row[] = answer.body.creators;
  const sortLatestFirst = (some: Row[]) =>
    some.toSorted((one, other) => other.tracked_since.localeCompare(one.tracked_since));
  const isMeasured = (row: Row) => !isWaiting(row);
  expect(rows).toEqual([...sortLatestFirst(rows.filter(isMeasured)), ...sortLatestFirst(rows.filter(isWaiting))]);
  return { ...answer, body: { ...answer.body, creators: sortLatestFirst(rows) } };
}

/** The same with days and instants relative to the first day, and without request ids. */
function toRelativeDays(answers: unknown, firstDay: Day): unknown[] {
  const first = toDate(`${firstDay}T00:00:00Z`).getTime();
  const text = JSON.stringify(answers).replace(/\d{4}-\d\d-\d\d/g, (day) =>
    String((toDate(`${day}T00:00:00Z`).getTime() - first) / (86_400 * SECOND)),
  );
  return JSON.parse(text.replace(/req_[0-9a-f]{24}/g, "req"));
}
