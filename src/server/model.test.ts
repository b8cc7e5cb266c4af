import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays, SECOND, toUtcDay } from "@/core/time";
import { TIERS } from "@/db/values";
import { rotateKey } from "@/features/keys/rotation.service";
import { revokeKey, setTier } from "@/features/keys/service";
import { getRunSummary } from "@/features/snapshots/service";
import { TIER_RULES } from "@/features/usage/tiers.rules";
import { PlatformError } from "@/platform/port";
import { createCases } from "@/test/cases";
import { Model, type ModelKey } from "@/test/model";
import { createChannelId, type FakePlatform } from "@/test/platform";
import { type Answer, send } from "@/test/request";
import { createKey, type TestKey, useService } from "@/test/service";
import { createSmallPlatform, forgetAll, type Shown, showAll } from "@/test/world";

const CHANNELS = 5;
const KEYS = 3;
/** More than a batch tries. */
const TRIES = 4;

/** The service and its model. */
interface Real {
  keys: TestKey[];
  platform: FakePlatform;
}
type Command = fc.AsyncCommand<Model, Real>;

describe("service and its model", () => {
  let platform: FakePlatform;
  const service = useService({
    platform: (clock) => {
      platform = createSmallPlatform(clock, CHANNELS);
      return platform;
    },
    variables: () => ({ CREATORS_PER_STEP: "50" }),
  });
  const getToday = () => toUtcDay(service.clock.now());
  const getHour = () => service.clock.now().getUTCHours();

  const createCommand = (label: string, run: (model: Model, real: Real) => Promise<void>): Command => ({
    check: () => true,
    run: async (model, real) => {
      service.clock.advance(SECOND);
      await run(model, real);
    },
    toString: () => label,
  });

  /** A request of a key. Its answer is compared when the model admits it. */
  const createRequestCommand = (
    label: string,
    number: number,
    path: string,
    options: Parameters<typeof send>[1],
    compare: (model: Model, key: ModelKey, answer: Answer) => void,
  ) =>
    createCommand(`key ${number}: ${label}`, async (model, { keys }) => {
      const key = model.key(number);
      const admitted = model.admit(key);
      const answer = await send(path, { ...options, key: keys[number]?.secret });
      if (admitted !== 200) return expect(answer.status).toBe(admitted);
      const left = TIER_RULES[key.tier].requestsPerDay - key.usedToday;
      expect(answer.headers.get("x-ratelimit-remaining")).toBe(String(left));
      return compare(model, key, answer);
    });

  const number = fc.nat(KEYS - 1);
  const channel = fc.nat(CHANNELS - 1);
  const pages = fc.record({ offset: fc.nat(6), limit: fc.integer({ min: 1, max: 4 }) });
  const shown = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom<Shown>(0, 1000, 1100, 1101, 1210, 1220, 1600, 2500) },
    { weight: 1, arbitrary: fc.constantFrom<Shown>("hidden", "gone") },
  );
  const counts = fc.array(shown, { minLength: CHANNELS, maxLength: CHANNELS });

  const track = fc.tuple(number, channel).map(([of, id]) => {
    const body = { channel_id: createChannelId(id) };
    return createRequestCommand(`track ${id}`, of, "/api/track", { method: "POST", body }, (model, key, { status }) => {
      expect(status).toBe(model.track(key, id, service.clock.now()) ? 200 : 404);
    });
  });

  const untrack = fc.tuple(number, channel).map(([of, id]) =>
    createRequestCommand(
      `untrack ${id}`,
      of,
      `/api/track/${createChannelId(id)}`,
      { method: "DELETE" },
      (_, key, { status }) => {
        expect(status).toBe(key.tracked.delete(id) ? 200 : 404);
      },
    ),
  );

  const list = fc.tuple(number, pages).map(([of, { offset, limit }]) =>
    createRequestCommand("list", of, `/api/track?offset=${offset}&limit=${limit}`, {}, (_, { tracked }, { body }) => {
      const ids = [...tracked].sort(([, one], [, other]) => other.getTime() - one.getTime());
      const page = ids.slice(offset, offset + limit).map(([id]) => createChannelId(id));
      expect(body.creators.map((creator: { channel_id: string }) => creator.channel_id)).toEqual(page);
      expect(body.pagination).toEqual(expectPagination(offset, limit, ids.length));
    }),
  );

  const history = fc.tuple(number, channel).map(([of, id]) =>
    createRequestCommand(
      `history ${id}`,
      of,
      `/api/track/${createChannelId(id)}/history`,
      {},
      (model, { tracked }, answer) => {
        const since = tracked.get(id);
        if (!since) return expect(answer.status).toBe(404);
        const days: object[] = [];
        for (let day = toUtcDay(since); day <= getToday(); day = addDays(day, 1)) {
          const snapshot = model.getSnapshot(id, day);
          // Snapshots taken because another key began to track belong to that key.
          if (snapshot?.isDaily || (snapshot && day === toUtcDay(since)))
            days.push({ day, subscribers: snapshot.count, views: 1000, videos: 10 });
        }
        return expect(answer.body.history).toEqual(days);
      },
    ),
  );

  const alerts = fc.tuple(number, pages).map(([of, { offset, limit }]) =>
    createRequestCommand("alerts", of, `/api/alerts?offset=${offset}&limit=${limit}`, {}, (_, key, { body }) => {
      const total = key.alerts.length;
      expect(body.pagination).toEqual(expectPagination(offset, limit, total));
      // Those of one run come in any order.
      const days = key.alerts.map(({ createdOn }) => createdOn).reverse();
      const listed: { created_at: string; message: string }[] = body.alerts;
      expect(listed.map(({ created_at: at }) => at.slice(0, 10))).toEqual(days.slice(offset, offset + limit));
      const known = key.alerts.map(({ createdOn, message }) => `${createdOn} ${message}`);
      for (const alert of listed) expect(known).toContain(`${alert.created_at.slice(0, 10)} ${alert.message}`);
    }),
  );

  const setEmail = fc.tuple(number, fc.nat(1)).map(([of, which]) => {
    const email = `owner${of}${which}@mail.example`;
    const options = { method: "POST" as const, body: { email } };
    return createRequestCommand(`set ${email}`, of, "/api/alerts/email", options, (_, key, { body }) => {
      key.email = email;
      expect(body).toMatchObject({ email });
    });
  });

  const clearEmail = number.map((of) =>
    createRequestCommand("clear address", of, "/api/alerts/email", { method: "DELETE" }, (_, key, { status }) => {
      key.email = null;
      expect(status).toBe(200);
    }),
  );

  const email = number.map((of) =>
    createRequestCommand("address", of, "/api/alerts/email", {}, (_, key, { body }) => {
      const since = expect.any(String);
      const delivery =
        key.email === null
          ? { delivery: null, delivery_since: null, delivery_hint: null }
          : { delivery: "active", delivery_since: since, delivery_hint: null };
      expect(body).toEqual({ status: "ok", email: key.email, ...delivery });
    }),
  );

  const usage = number.map((of) =>
    createRequestCommand("usage", of, "/api/usage", {}, (_, key, { body }) => {
      expect(body).toMatchObject({
        tier: key.tier,
        requests_today: key.usedToday,
        requests_limit: TIER_RULES[key.tier].requestsPerDay,
        creators_tracked: key.tracked.size,
        alerts_count: key.alerts.length,
      });
    }),
  );

  const many = fc.tuple(number, fc.constantFrom(10, 45)).map(([of, requests]) =>
    createCommand(`key ${of}: ${requests} requests at once`, async (model, { keys }) => {
      const key = model.key(of);
      const expected = Array.from({ length: requests }, () => model.admit(key)).sort();
      const responses = Array.from({ length: requests }, () => send("/api/alerts/email", { key: keys[of]?.secret }));
      expect((await Promise.all(responses)).map(({ status }) => status).sort()).toEqual(expected);
    }),
  );

  const operate = fc.tuple(number, fc.constantFrom("revoke", "rotate", "rotate", ...TIERS)).map(([of, what]) =>
    createCommand(`operator: ${what} key ${of}`, async (model, { keys }) => {
      const [key, real] = [model.key(of), keys[of]];
      if (!real) return;
      if (what === "revoke") {
        key.isActive = false;
        await revokeKey(service, real.id);
      } else if (what === "rotate") {
        const rotated = await rotateKey(service, real.id).catch(() => null);
        expect(rotated !== null).toBe(key.isActive);
        if (rotated) real.secret = rotated.secret;
      } else {
        const [tier = "free"] = TIERS.filter((known) => known === what);
        key.tier = tier;
        await setTier(service, real.id, tier);
      }
    }),
  );

  const weather = fc.constantFrom("fine", "fine", "fine", "fine", "shaky", "down", "off");
  const nextDay = fc.tuple(counts, weather).map(([row, sky]) =>
    createCommand(`next day, platform ${sky}, shows ${row.join(" ")}`, async (model, real) => {
      const day = addDays(getToday(), 1);
      service.clock.set(`${day}T06:00:00Z`);
      showAll(real.platform, day, row);
      Object.assign(model, { shown: row, batch: null, isRead: false });
      for (const key of model.keys) key.usedToday = 0;
      if (sky === "off") return service.clock.set(`${day}T08:00:00Z`);
      model.run(service.clock.now(), sky === "down");
      await runWithFailures(real.platform, { fine: 0, shaky: 2, down: TRIES, off: 0 }[sky] ?? 0, async () => {
        service.engine.fireCron("creator-growth-plan-day", service.clock.now());
        await service.drain();
      });
      return service.clock.set(`${day}T08:00:00Z`);
    }),
  );

  const resume = fc.constantFrom(10, 20).map((at) =>
    createCommand(`the look for what is left, at ${at}:00`, async (model, real) => {
      if (getHour() >= at) return;
      service.clock.set(`${getToday()}T${at}:00:00Z`);
      model.run(service.clock.now(), false);
      await runWithFailures(real.platform, 0, async () => {
        service.engine.fireCron("creator-growth-resume-day", service.clock.now());
        await service.drain();
      });
    }),
  );

  /** Runs `act` while the platform's next `failures` answers fail. */
  async function runWithFailures(shaky: FakePlatform, failures: number, act: () => Promise<void>): Promise<void> {
    shaky.failures = Array.from({ length: failures }, () => new PlatformError("unavailable", "down", 1));
    await act();
    shaky.failures = [];
  }

  /** A new service at noon of a day that no other service uses. */
  async function begin(): Promise<{ model: Model; real: Real }> {
    await forgetAll(service.db);
    service.mails.length = 0;
    service.clock.set(`${addDays(getToday(), 3)}T12:00:00Z`);
    const keys: TestKey[] = [];
    for (let made = 0; made < KEYS; made++) keys.push(await createKey(service));
    const model = new Model(KEYS);
    model.shown = Array.from({ length: CHANNELS }, () => 1000);
    showAll(platform, getToday(), model.shown);
    return { model, real: { keys, platform } };
  }

  async function expectSame(model: Model, { keys }: Real): Promise<void> {
    for (const [of, key] of model.keys.entries()) {
      if (!key.isActive || key.usedToday >= TIER_RULES[key.tier].requestsPerDay) continue;
      const { body } = await send("/api/alerts?limit=100", { key: keys[of]?.secret });
      const listed = body.alerts.map(({ message, created_at }: Record<string, string>) => [
        created_at?.slice(0, 10),
        message,
      ]);
      const expected = key.alerts.map(({ createdOn, message }) => [createdOn, message]);
      expect(listed.sort()).toEqual(expected.sort());
    }
    expect(service.mails.map(({ to }) => to).sort()).toEqual(model.mails.toSorted());
    if (model.batch?.length && model.isRead)
      expect(await getRunSummary(service, getToday())).toMatchObject({
        planned: model.batch.length,
        failed: 0,
      });
  }

  it("behave alike after any sequence of operations", { timeout: 0 }, async () => {
    const orders = [track, track, untrack, list, history, alerts, setEmail, clearEmail, email, usage, many];
    const all = [...orders, operate, nextDay, nextDay, nextDay, resume];
    const commands = fc.commands<Model, Real, false>(all, { maxCommands: 30, size: "max" });
    const property = fc.asyncProperty(commands, async (drawn) => {
      let world: { model: Model; real: Real } | undefined;
      await fc.asyncModelRun(async () => {
        world = await begin();
        return world;
      }, drawn);
      if (world) await expectSame(world.model, world.real);
    });
    await fc.assert(property, createCases(15, 1000));
  });
});

function expectPagination(offset: number, limit: number, total: number) {
  return { total, offset, limit, has_more: offset + limit < total };
}
