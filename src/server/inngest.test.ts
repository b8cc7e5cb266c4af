import { createHash, createHmac } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { GET, OPTIONS, POST, PUT } from "@/app/api/inngest/route";
import {
  alerts,
  deliveries,
  snapshotBatches,
  snapshotRuns,
  snapshots,
  trackedCreators,
} from "@/core/db/schema";
import { canonicalJson } from "@/core/engine/wire";
import { readEnv } from "@/core/env";
import { SECOND, systemClock } from "@/core/time";
import { setAlertEmail } from "@/features/addresses/service";
import { planRun, runSummary } from "@/features/snapshots/service";
import { CHANNELS_PER_CALL, PlatformError } from "@/platform/port";
import { useDailyRuns } from "@/test/daily-run";
import {
  INNGEST_EVENT_KEY,
  INNGEST_SIGNING_KEY,
  type InngestServer,
  startInngestServer,
} from "@/test/inngest-server";
import { createKey } from "@/test/service";
import { type StandIn, startStandIn } from "@/test/stand-in";
import { installContext } from "./context";
import { createInngestJobs } from "./inngest";
import type { RunningJobs } from "./jobs";

const CREATORS = 7;

const Ops = z.array(
  z.looseObject({ op: z.string(), id: z.string(), displayName: z.string().optional(), data: z.unknown() }),
);

describe("the jobs of an app that Inngest calls", () => {
  const runs = useDailyRuns();
  const { service } = runs;
  let inngest: InngestServer;
  /** The app's own HTTP server, with the route of the product behind it. */
  let app: StandIn;
  let jobs: RunningJobs;
  let channelIds: string[] = [];
  let keyId = "";

  beforeAll(async () => {
    inngest = await startInngestServer({ clock: service.clock });
    app = await startStandIn({ state: () => ({}), answer: (request) => methodOf(request)(request) });
    jobs = open(inngest.url);
    await jobs.start();
    await vi.waitFor(() => expect(inngest.functions).not.toEqual([]), { timeout: 20_000, interval: 5 });
  });
  afterAll(async () => {
    await jobs.stop();
    await Promise.all([inngest.stop(), app.stop()]);
  });

  /** Makes the service one that Inngest at an address runs the jobs of. */
  function open(url: string, more: Record<string, string> = {}): RunningJobs {
    const env = readEnv({
      NODE_ENV: "test",
      APP_URL: app.url,
      DATA_DIR: service.env.dataDir,
      INNGEST_EVENT_KEY,
      INNGEST_SIGNING_KEY,
      INNGEST_BASE_URL: url,
      ...more,
    });
    const ctx = { ...service, env };
    const opened = createInngestJobs(ctx, env.jobs as Parameters<typeof createInngestJobs>[1]);
    installContext({ ...ctx, jobs: opened.served });
    return opened;
  }

  const methodOf = ({ method }: Request) => {
    const handlers = new Map([
      ["GET", GET],
      ["POST", POST],
      ["PUT", PUT],
    ]);
    return handlers.get(method) ?? OPTIONS;
  };

  /** Creators of a mailed key, one of which doubles from today to tomorrow. */
  beforeEach(async () => {
    Object.assign(inngest, { isRepeating: false, calls: [], events: [], faults: [], failEvery: null });
    Object.assign(app, { faults: [], failEvery: null });
    const key = await createKey(service);
    keyId = key.id;
    await setAlertEmail(service, key.id, `scout-${runs.day}@agency.test`);
    channelIds = [];
    for (let at = 0; at < CREATORS; at++) {
      const id = await runs.track(key.id, 1000);
      runs.platform.show(id, runs.next, at === 0 ? 2000 : 1001);
      channelIds.push(id);
    }
    for (const done of [runs.mailService.accepted, runs.mailService.tries, runs.channel.posts])
      done.length = 0;
  });

  const drain = () => inngest.engine.drain((to) => service.clock.set(to));

  async function runDay() {
    runs.at(runs.next, "06:00");
    inngest.engine.fireCron("creator-growth-plan-day", service.clock.now());
    await drain();
  }

  async function readDay() {
    const ofKey = await service.db.select().from(alerts).where(eq(alerts.keyId, keyId));
    const told = await service.db
      .select({
        destination: deliveries.destination,
        status: deliveries.status,
        attempts: deliveries.attempts,
      })
      .from(deliveries)
      .where(eq(deliveries.alertId, ofKey[0]?.id ?? ""))
      .orderBy(deliveries.destination);
    const stored = await service.db.select().from(snapshots).where(eq(snapshots.day, runs.next));
    return {
      alerts: ofKey.map(({ channelId }) => channelId),
      told,
      stored: stored.filter(({ channelId }) => channelIds.includes(channelId)).length,
      mails: runs.mailService.tries.filter(({ sent }) => sent.to === `scout-${runs.day}@agency.test`).length,
      posts: runs.channel.posts.length,
      summary: await runSummary(service, runs.next),
    };
  }

  const UNDISTURBED = () => ({
    alerts: [channelIds[0]],
    told: [
      { destination: "email", status: "sent", attempts: 1 },
      { destination: "monitoring", status: "sent", attempts: 1 },
    ],
    stored: CREATORS,
    mails: 1,
    posts: 1,
    summary: expect.objectContaining({ failed: 0, alerts: 1, finished_at: expect.any(String) }),
  });

  it("are registered at the app's own address", () => {
    expect(inngest.functions).toContain("creator-growth-plan-day");
    expect(inngest.functions).toContain("creator-growth-monitor-alert-failure");
  });

  it("make the day's run, its alerts, one mail and one post, with one upstream call a batch", async () => {
    const calls = runs.platform.calls;
    await runDay();
    expect(await readDay()).toEqual(UNDISTURBED());
    const batches = await service.db.$count(snapshotBatches, eq(snapshotBatches.day, runs.next));
    expect(runs.platform.calls - calls).toBe(batches);
    expect(inngest.events.map(({ name }) => name)).toContain("alert/created");
  });

  it("have no effect twice although every call comes twice", async () => {
    inngest.isRepeating = true;
    await runDay();
    expect(await readDay()).toEqual(UNDISTURBED());
    expect(inngest.calls.length).toBeGreaterThan(8);
  });

  it.each(["lost", "cut"] as const)(
    "have no effect twice although every third answer of the app is %s",
    async (fault) => {
      app.failEvery = { every: 3, fault };
      await runDay();
      expect(await readDay()).toEqual(UNDISTURBED());
    },
  );

  it.each(["lost", { status: 500, body: "no" }, { status: 502, body: "<html>" }] as const)(
    "have no effect twice although every third answer of Inngest is %j",
    async (fault) => {
      inngest.failEvery = { every: 3, fault };
      await runDay();
      expect(await readDay()).toEqual(UNDISTURBED());
    },
  );

  it("mark the run where a batch fails for good, and go on with it at the next look", async () => {
    const down = () => new PlatformError("unavailable", "502", 1);
    const batches = Math.ceil((await service.db.$count(trackedCreators)) / CHANNELS_PER_CALL);
    runs.platform.failures = Array.from({ length: 4 * batches }, down);
    await runDay();
    const of = await service.db.select().from(snapshotBatches).where(eq(snapshotBatches.day, runs.next));
    expect(of.map(({ status, problem }) => [status, problem])).toEqual(
      Array.from({ length: batches }, () => ["failed", "unavailable: 502"]),
    );
    const [run] = await service.db.select().from(snapshotRuns).where(eq(snapshotRuns.day, runs.next));
    expect(run?.finishedAt).not.toBeNull();
    service.clock.advance(31 * 60 * SECOND);
    inngest.engine.fireCron("creator-growth-resume-day", service.clock.now());
    await drain();
    expect(await readDay()).toEqual(UNDISTURBED());
  });

  describe("a call made by hand", () => {
    const hash = (step: string) => createHash("sha1").update(step).digest("hex");
    type Memo = Record<string, { type: "data"; data: unknown }>;

    /** Asks for what comes next in a run whose finished steps are given; nothing is checkpointed. */
    async function ask(fn: string, event: { name: string; data: object }, steps: Memo = {}, attempt = 0) {
      const whole = { id: "event-1", ts: service.clock.now().getTime(), user: {}, v: "", ...event };
      const stack = Object.keys(steps);
      const body = canonicalJson({
        version: 2,
        event: whole,
        events: [whole],
        steps,
        ctx: {
          run_id: "run-1",
          attempt,
          max_attempts: 4,
          disable_immediate_execution: false,
          use_api: false,
          stack: { stack, current: stack.length },
        },
      });
      const answer = await call(body, { fn });
      return { status: answer.status, headers: answer.headers, body: await answer.json() };
    }

    interface Call {
      fn?: string;
      at?: number;
      key?: string;
      signature?: string | null;
      method?: "GET" | "POST" | "PUT";
    }

    async function call(body: string, { fn = "plan-day", at, key, signature, method = "POST" }: Call = {}) {
      const time = at ?? Math.floor(systemClock.now().getTime() / SECOND);
      const secret = (key ?? INNGEST_SIGNING_KEY).replace(/^signkey-\w+-/, "");
      const mac = createHmac("sha256", secret).update(`${body}${time}`).digest("hex");
      const signed = signature === undefined ? `t=${time}&s=${mac}` : signature;
      const query = method === "POST" ? `?fnId=creator-growth-${fn}&stepId=step` : "";
      return fetch(`${app.url}/api/inngest${query}`, {
        method,
        headers: {
          "content-type": "application/json",
          ...(signed !== null && { "x-inngest-signature": signed }),
        },
        ...(method !== "GET" && { body }),
      });
    }

    const batch = () => ({ name: "snapshot/batch.planned", data: { day: runs.next, batch: 0 } });

    async function planned() {
      runs.at(runs.next, "06:00");
      await planRun(service, runs.next, "open");
      runs.platform.calls = 0;
    }

    it("goes on after the steps that are remembered, and does none of them again", async () => {
      await planned();
      const memo: Memo = {};
      const names: string[] = [];
      for (let request = 0; request < 80; request++) {
        const { status, body } = await ask("snapshot-batch", batch(), memo);
        if (status === 200) break;
        expect(status).toBe(206);
        const [op] = Ops.parse(body);
        if (!op) throw new Error("an answer without an operation");
        expect(op.op).toBe("StepRun");
        names.push(op.displayName ?? "");
        memo[op.id] = { type: "data", data: op.data };
        // The whole of what is remembered sent once more, as after a lost answer: one step further, never back.
        const again = await ask("snapshot-batch", batch(), memo);
        if (again.status === 206) expect(Ops.parse(again.body)[0]?.id).not.toBe(op.id);
      }
      expect(names[0]).toBe("fetch");
      expect(names.at(-1)).toBe("finish");
      expect(names.filter((name) => name.startsWith("snapshot:"))).toHaveLength(50);
      expect(new Set(names).size).toBe(names.length);
      expect(runs.platform.calls).toBe(1);
      const stored = eq(snapshots.day, runs.next);
      expect(await service.db.$count(snapshots, and(stored, eq(snapshots.source, "daily")))).toBe(50);
    });

    it("whose step fails asks for a retry, and for none at the last attempt", async () => {
      await planned();
      const down = () => new PlatformError("unavailable", "502", 42);
      runs.platform.failures = [down(), down()];
      const first = await ask("snapshot-batch", batch());
      expect(first.status).toBe(206);
      expect(first.headers.get("x-inngest-no-retry")).toBe("false");
      expect(first.headers.get("retry-after")).toBe("42");
      expect(first.body).toMatchObject([
        { op: "StepError", id: hash("fetch"), error: { message: "unavailable: 502" } },
      ]);
      const last = await ask("snapshot-batch", batch(), {}, 3);
      expect(last.headers.get("x-inngest-no-retry")).toBe("true");
      expect(last.body).toMatchObject([{ op: "StepFailed", id: hash("fetch") }]);
      const after = await ask("snapshot-batch", batch());
      expect(after.body).toMatchObject([{ op: "StepRun", id: hash("fetch") }]);
    });

    it("sends the batches of the day with ids by which Inngest drops them when they come again", async () => {
      runs.at(runs.next, "06:00");
      const request = { name: "snapshot/run.requested", data: { day: runs.next, scope: "open" } };
      const plan = await ask("plan-day", request);
      const [op] = Ops.parse(plan.body);
      const memo: Memo = { [hash("plan")]: { type: "data", data: op?.data } };
      for (const _ of [1, 2]) {
        const sent = await ask("plan-day", request, memo);
        expect(sent.body).toMatchObject([{ op: "StepRun", name: "sendEvent" }]);
      }
      const ids = inngest.events.map(({ id }) => id);
      expect(ids[0]).toBe(`snapshot:${runs.next}:0:1`);
      expect(ids.slice(ids.length / 2)).toEqual(ids.slice(0, ids.length / 2));
      await drain();
      expect(await readDay()).toEqual(UNDISTURBED());
    });

    it("is refused unless it is signed with the key, now, for this body", async () => {
      await planned();
      const body = canonicalJson({ ...batch(), ctx: {}, steps: {} });
      const now = Math.floor(systemClock.now().getTime() / SECOND);
      const before = inngest.requests;
      const refused: Call[] = [
        { signature: null },
        { signature: "" },
        { signature: `t=${now}&s=${"0".repeat(64)}` },
        { key: "signkey-test-ffeeddccbbaa99887766554433221100" },
        { at: now - 60 * 60 },
      ];
      for (const how of refused)
        for (const fn of ["snapshot-batch", "plan-day", "email-alert"]) {
          const answer = await call(body, { ...how, fn });
          expect(answer.status, JSON.stringify(how)).toBe(401);
          expect(await answer.text()).not.toMatch(/signkey|function_count/);
        }
      expect(runs.platform.calls).toBe(0);
      expect(inngest.requests).toBe(before);
    });

    it.each(["PUT", "GET"] as const)(
      "by %s, which registers or tells, is refused unsigned",
      async (method) => {
        const before = inngest.requests;
        for (const how of [{ signature: null }, { signature: "t=1&s=0" }]) {
          const answer = await call("{}", { ...how, method });
          expect(answer.status).toBe(401);
          expect(await answer.text()).not.toMatch(/plan-day|function_count/);
        }
        expect(inngest.requests).toBe(before);
      },
    );
  });

  describe("at a start", () => {
    it("do not fail where Inngest cannot be reached, and are registered once it can", async () => {
      const warnings = vi.spyOn(service.log, "warn");
      const known = inngest.requests;
      inngest.faults = ["lost"];
      const late = open(inngest.url);
      await late.start();
      await vi.waitFor(() => expect(inngest.requests).toBeGreaterThan(known + 1), { timeout: 20_000 });
      await late.stop();
      expect(JSON.stringify(warnings.mock.calls)).toContain("jobs could not be registered with Inngest");
      warnings.mockRestore();
    });

    it("are refused by an Inngest that knows other keys, which is told without them", async () => {
      const other = "signkey-test-ffeeddccbbaa99887766554433221100";
      const lines = (["error", "warn", "info"] as const).map((level) => vi.spyOn(service.log, level));
      const wrong = open(inngest.url, { INNGEST_SIGNING_KEY: other, INNGEST_EVENT_KEY: "not-the-event-key" });
      await wrong.start();
      const warned = lines[1];
      await vi.waitFor(() => expect(warned?.mock.calls.length).toBeGreaterThan(0), { timeout: 20_000 });
      await wrong.stop();
      const logged = JSON.stringify(lines.flatMap((spy) => spy.mock.calls));
      expect(logged).toContain("jobs could not be registered");
      expect(logged).not.toMatch(/ffeeddcc|not-the-event-key/);
      for (const spy of lines) spy.mockRestore();
    });

    it("run nothing in the process itself: what waits is left to the scheduled functions", async () => {
      runs.at(runs.next, "09:00");
      const calls = runs.platform.calls;
      const idle = open(inngest.url);
      await idle.start();
      await idle.stop();
      expect(runs.platform.calls).toBe(calls);
      expect(await runSummary(service, runs.next)).toBeNull();
    });
  });

  it("never tell the event key where events cannot be sent", async () => {
    jobs = open(inngest.url);
    const lines = (["error", "warn", "info", "debug"] as const).map((level) => vi.spyOn(service.log, level));
    inngest.faults = Array.from({ length: 30 }, () => "lost" as const);
    await runDay();
    inngest.faults = [];
    const logged = JSON.stringify(lines.flatMap((spy) => spy.mock.calls));
    for (const spy of lines) spy.mockRestore();
    expect(logged).not.toContain(INNGEST_EVENT_KEY);
    const problems = await service.db.select({ problem: snapshotBatches.problem }).from(snapshotBatches);
    expect(JSON.stringify(problems)).not.toContain(INNGEST_EVENT_KEY);
  });
});
