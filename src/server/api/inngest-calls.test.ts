import { createHash, createHmac } from "node:crypto";
import canonicalize from "canonicalize";
import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { SECOND, systemClock } from "@/core/time";
import { snapshotRuns, snapshots, trackedCreators } from "@/db/schema";
import { planRun } from "@/features/snapshots/service";
import { CHANNELS_PER_CALL, PlatformError } from "@/platform/port";
import { useDailyRuns } from "@/test/daily-run";
import { useInngestApp } from "@/test/inngest-app";
import { INNGEST_SIGNING_KEY } from "@/test/inngest-server";
import { createKey } from "@/test/service";

const CREATORS = 9;

const Ops = z.array(
  z.looseObject({ op: z.string(), id: z.string(), displayName: z.string().optional(), data: z.unknown() }),
);

describe("Inngest calls", () => {
  const runs = useDailyRuns();
  const { service } = runs;
  const app = useInngestApp(service);

  beforeEach(async () => {
    app.inngest.events.length = 0;
    const key = await createKey(service);
    for (let at = 0; at < CREATORS; at++) await runs.track(key.id, 1000);
  });

  const hash = (step: string) => createHash("sha1").update(step).digest("hex");
  type Memo = Record<string, { type: "data"; data: unknown }>;

  /** Requests the next step of a run with these finished steps, without checkpoints. */
  async function callFunction(
    fn: string,
    event: { name: string; data: object },
    steps: Memo = {},
    attempt = 0,
    more = {},
  ) {
    const whole = { id: "event-1", ts: service.clock.now().getTime(), user: {}, v: "", ...event };
    const stack = Object.keys(steps);
    const body = canonicalize({
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
        ...more,
      },
    });
    const answer = await call(body ?? "", { fn });
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
    return fetch(`${app.http.url}/api/inngest${query}`, {
      method,
      headers: {
        "content-type": "application/json",
        ...(signed !== null && { "x-inngest-signature": signed }),
      },
      ...(method !== "GET" && { body }),
    });
  }

  const createBatchEvent = () => ({ name: "snapshot/batch.planned", data: { day: runs.next, batch: 0 } });

  async function planDay() {
    runs.setTime(runs.next, "06:00");
    await planRun(service, { day: runs.next, scope: "open", plans: 0 }, "planner");
    runs.platform.calls = 0;
  }

  it("continue after the finished steps and repeat none of them", async () => {
    await planDay();
    const creators = Math.min(await service.db.$count(trackedCreators), CHANNELS_PER_CALL);
    const memo: Memo = {};
    const names: string[] = [];
    for (let request = 0; request < 80; request++) {
      const { status, body } = await callFunction("snapshot-batch", createBatchEvent(), memo);
      if (status === 200) break;
      expect(status).toBe(206);
      const [op] = Ops.parse(body);
      if (!op) throw new Error("an answer without an operation");
      expect(op.op).toBe("StepRun");
      names.push(op.displayName ?? "");
      memo[op.id] = { type: "data", data: op.data };
      // Repeats the finished steps, as after a lost response: one step further, never back.
      const again = await callFunction("snapshot-batch", createBatchEvent(), memo);
      if (again.status === 206) expect(Ops.parse(again.body)[0]?.id).not.toBe(op.id);
    }
    expect(names[0]).toBe("fetch");
    expect(names.at(-1)).toBe("finish");
    expect(names.filter((name) => name.startsWith("snapshot:"))).toHaveLength(creators);
    expect(new Set(names).size).toBe(names.length);
    expect(runs.platform.calls).toBe(1);
    const stored = eq(snapshots.day, runs.next);
    expect(await service.db.$count(snapshots, and(stored, eq(snapshots.source, "daily")))).toBe(creators);
  });

  it("request a retry when a step fails, and none at the last attempt", async () => {
    await planDay();
    const createOutageError = () => new PlatformError("unavailable", "502", 42);
    runs.platform.failures = [createOutageError(), createOutageError()];
    const first = await callFunction("snapshot-batch", createBatchEvent());
    expect(first.status).toBe(206);
    expect(first.headers.get("x-inngest-no-retry")).toBe("false");
    expect(first.headers.get("retry-after")).toBe("42");
    expect(first.body).toMatchObject([{ op: "StepError", id: hash("fetch"), error: { message: "unavailable: 502" } }]);
    const last = await callFunction("snapshot-batch", createBatchEvent(), {}, 3);
    expect(last.headers.get("x-inngest-no-retry")).toBe("true");
    expect(last.body).toMatchObject([{ op: "StepFailed", id: hash("fetch") }]);
    const after = await callFunction("snapshot-batch", createBatchEvent());
    expect(after.body).toMatchObject([{ op: "StepRun", id: hash("fetch") }]);
  });

  it("make a delivery in one request, without checkpoints", async () => {
    const alertId = await runs.makeAlert((await createKey(service)).id);
    for (const fn of ["email-alert", "monitor-alert"]) {
      const answer = await callFunction(fn, { name: "alert/created", data: { alertId } }, {}, 0, {
        fn_id: fn,
        qi_id: "job-1",
      });
      expect(answer).toMatchObject({ status: 200, body: null });
    }
  });

  it("plan today when plan-day is invoked by hand without data", async () => {
    runs.setTime(runs.next, "09:00");
    const plan = await callFunction("plan-day", { name: "inngest/function.invoked", data: {} });
    expect([plan.status, Ops.parse(plan.body)[0]?.data]).toEqual([206, { day: runs.next, batches: [0] }]);
    const request = { name: "snapshot/run.requested", data: { day: runs.next, scope: "open" } };
    const again = await callFunction("plan-day", request, {}, 0, { run_id: "run-2" });
    expect(Ops.parse(again.body)[0]?.data).toEqual({ day: runs.next, batches: [] });
  });

  it("plan a day again under other event ids once the day's run was deleted", async () => {
    runs.setTime(runs.next, "06:00");
    const data = { day: runs.next, scope: "open", plans: 0 };
    for (const runId of ["run-1", "run-2"]) {
      const more = { run_id: runId };
      const event = { name: "snapshot/run.requested", data };
      const plan = await callFunction("plan-day", event, {}, 0, more);
      const memo: Memo = { [hash("plan")]: { type: "data", data: Ops.parse(plan.body)[0]?.data } };
      await callFunction("plan-day", event, memo, 0, more);
      await service.db.delete(snapshotRuns);
    }
    const ids = app.inngest.events.map(({ id }) => id);
    expect(ids).toEqual([`snapshot:${runs.next}:0:run-1`, `snapshot:${runs.next}:0:run-2`]);
  });

  it("are refused when the clock is an hour off, with the difference logged in one line", async () => {
    const warnings = vi.spyOn(service.log, "warn");
    const now = Math.floor(systemClock.now().getTime() / SECOND);
    expect((await call("{}", { at: now - 60 * 60 })).status).toBe(401);
    expect((await call("{}", { signature: null })).status).toBe(401);
    const lines = warnings.mock.calls;
    warnings.mockRestore();
    expect(lines).toHaveLength(1);
    expect(String(lines[0])).toMatch(/3,?60\d seconds behind/);
  });

  it("send the batches of a repeated plan under the same ids", async () => {
    runs.setTime(runs.next, "06:00");
    const request = { name: "snapshot/run.requested", data: { day: runs.next, scope: "open", plans: 0 } };
    const plan = await callFunction("plan-day", request);
    const [op] = Ops.parse(plan.body);
    const memo: Memo = { [hash("plan")]: { type: "data", data: op?.data } };
    for (const _ of [1, 2]) {
      const sent = await callFunction("plan-day", request, memo);
      expect(sent.body).toMatchObject([{ op: "StepRun", name: "sendEvent" }]);
    }
    const ids = app.inngest.events.map(({ id }) => id);
    expect(ids[0]).toBe(`snapshot:${runs.next}:0:run-1`);
    expect(ids.slice(ids.length / 2)).toEqual(ids.slice(0, ids.length / 2));
  });

  it("are refused unless signed with the key, now, for their body", async () => {
    await planDay();
    const body = canonicalize({ ...createBatchEvent(), ctx: {}, steps: {} }) ?? "";
    const now = Math.floor(systemClock.now().getTime() / SECOND);
    const before = app.inngest.calls.length;
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
    expect(app.inngest.calls.length).toBe(before);
  });

  it("are refused with a body larger than an engine sends", async () => {
    expect((await call(JSON.stringify({ filling: "x".repeat(5 * 1024 * 1024) }))).status).toBe(413);
  });

  it("are served with a large body", async () => {
    const data = { day: runs.next, scope: "open", plans: 0, filling: "x".repeat(100_000) };
    expect((await callFunction("plan-day", { name: "snapshot/run.requested", data })).status).toBe(206);
  });

  it.each(["PUT", "GET"] as const)("refuse an unsigned %s", async (method) => {
    const before = app.inngest.calls.length;
    const now = Math.floor(systemClock.now().getTime() / SECOND);
    const forged = { signature: `t=${now}&s=${"0".repeat(64)}` };
    for (const how of [{ signature: null }, { signature: "t=1&s=0" }, forged]) {
      const answer = await call("{}", { ...how, method });
      expect(answer.status).toBe(401);
      expect(await answer.text()).not.toMatch(/plan-day|function_count/);
    }
    expect(app.inngest.calls.length).toBe(before);
  });
});
