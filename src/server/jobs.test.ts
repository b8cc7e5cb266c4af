import { eq } from "drizzle-orm";
import { serve } from "inngest/next";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import * as inngestRoute from "@/app/api/inngest/route";
import { snapshotRuns } from "@/db/schema";
import { createDeliveryJobs } from "@/features/notifications/deliveries.jobs";
import { createRetentionJobs, createSnapshotJobs } from "@/features/snapshots/jobs";
import { getRunSummary } from "@/features/snapshots/service";
import { createJobClient } from "@/jobs/client";
import { createSignedRequest, type ServedHandlers, sign } from "@/jobs/protocol";
import { useDailyRuns } from "@/test/daily-run";
import { createKey } from "@/test/service";
import { createJobs } from "./jobs";

/** The route without Next's own request types. */
interface Handlers extends ServedHandlers {
  GET(request: Request, context?: unknown): Promise<Response>;
}
const { GET, POST, PUT } = inngestRoute;
const route: Handlers = { GET, POST, PUT };

const SIGNING_KEY = "signkey-local-0a1b2c3d";

const Registration = z.object({
  functions: z.array(
    z.looseObject({
      id: z.string(),
      triggers: z.array(z.object({ cron: z.string().optional(), event: z.string().optional() })),
      steps: z.object({ step: z.object({ retries: z.object({ attempts: z.number() }) }) }),
    }),
  ),
});

describe("jobs", () => {
  const runs = useDailyRuns();
  const { service } = runs;

  describe("/api/inngest", () => {
    const url = "http://growth.test/api/inngest";
    const target = `${url}?fnId=creator-growth-plan-day&stepId=step`;
    const call = (method: "GET" | "POST" | "PUT", init: RequestInit = {}) =>
      route[method](new Request(method === "POST" ? target : url, { method, ...init }));
    const body = JSON.stringify({ event: { name: "snapshot/run.requested", data: {} }, steps: {}, ctx: {} });

    it.each([
      ["unsigned", () => ({})],
      ["with an empty signature", () => ({ "x-inngest-signature": "" })],
      ["with a made-up signature", () => ({ "x-inngest-signature": `t=1&s=${"0".repeat(64)}` })],
      ["signed with another key", () => ({ "x-inngest-signature": sign(body, SIGNING_KEY) })],
    ])("refuses a call that is %s", async (_, headers) => {
      const before = await service.db.select().from(snapshotRuns);
      for (const method of ["GET", "POST", "PUT"] as const) {
        const answer = await call(method, {
          headers: { "content-type": "application/json", ...headers() },
          ...(method !== "GET" && { body: method === "POST" ? body : "{}" }),
        });
        expect(answer.status, method).toBe(401);
        expect(await answer.text()).not.toMatch(/plan-day|function_count|signkey/);
      }
      expect(await service.db.select().from(snapshotRuns)).toEqual(before);
    });

    it("refuses every call when the engine runs in the process", async () => {
      const { signingKey } = service.engine.clientOptions;
      expect((await route.POST(createSignedRequest("POST", {}, signingKey, "?fnId=a&stepId=step"))).status).toBe(401);
    });

    it("has a different key in each process", async () => {
      const other = await createJobs(service);
      expect(other.engine.clientOptions.signingKey).not.toBe(service.engine.clientOptions.signingKey);
      expect(service.engine.clientOptions.signingKey).toMatch(/^signkey-local-[0-9a-f]{64}$/);
    });
  });

  it("keep their names, triggers, schedules, retries and limits", async () => {
    let registered: unknown;
    const client = createJobClient({
      isDev: false,
      signingKey: SIGNING_KEY,
      eventKey: "test",
      logger: service.log,
      fetch: async (input, init) => {
        registered = await new Request(input, init).json();
        return Response.json({ ok: true });
      },
    });
    const functions = [
      ...createSnapshotJobs(client, service, { creatorsPerStep: 1, mayCompare: true }),
      ...createRetentionJobs(client, service, { snapshotDays: 30, alertDays: null }),
      ...createDeliveryJobs(client, service, true),
    ];
    const served: ServedHandlers = serve({ client, functions, enableUnauthedSync: false });
    await served.PUT(createSignedRequest("PUT", {}, SIGNING_KEY));
    const lines = Registration.parse(registered).functions.map(({ id, triggers, steps, ...more }) => {
      const on = triggers.map(({ cron, event }) => cron ?? event).join(", ");
      const { throttle, concurrency } = more;
      const limits = [throttle, concurrency].flatMap((limit) => (limit ? JSON.stringify(limit) : []));
      return [id, on, `${steps.step.retries.attempts} retries`, ...limits].join(" | ");
    });
    expect(lines).toMatchInlineSnapshot(`
      [
        "creator-growth-plan-day | TZ=UTC 0 6 * * *, snapshot/run.requested | 5 retries",
        "creator-growth-plan-day-failure | inngest/function.failed | 1 retries",
        "creator-growth-snapshot-batch | snapshot/batch.planned | 3 retries | 10",
        "creator-growth-snapshot-batch-failure | inngest/function.failed | 1 retries",
        "creator-growth-resume-day | TZ=UTC */30 * * * * | 1 retries",
        "creator-growth-watch-run | TZ=UTC */30 * * * * | 1 retries | 1",
        "creator-growth-purge-daily | TZ=UTC 0 5 * * * | 3 retries",
        "creator-growth-email-alert | alert/created, delivery/email.left, digest/mail.waiting | 8 retries | {"limit":2,"period":"1s"} | 2",
        "creator-growth-email-alert-failure | inngest/function.failed | 1 retries",
        "creator-growth-monitor-alert | alert/created, delivery/monitoring.left | 8 retries | {"limit":1,"period":"1s"} | 1",
        "creator-growth-monitor-alert-failure | inngest/function.failed | 1 retries",
        "creator-growth-sweep-deliveries | TZ=UTC */10 * * * * | 1 retries",
        "creator-growth-weekly-digests | TZ=UTC 0 * * * * | 3 retries",
      ]
    `);
  });

  it("are all known to the engine that runs them", async () => {
    const { engine } = await createJobs(service);
    for (const id of ["plan-day", "resume-day", "purge-daily", "sweep-deliveries"])
      engine.fireCron(`creator-growth-${id}`, service.clock.now());
    expect(() => engine.fireCron("creator-growth-email-alert", service.clock.now())).toThrow("no scheduled job");
  });

  describe("catch-up at a start", () => {
    beforeEach(async () => {
      await runs.track((await createKey(service)).id, 1000);
    });

    async function startAt(time: string) {
      runs.setTime(runs.next, time);
      const calls = runs.platform.calls;
      const jobs = await createJobs(service);
      await jobs.catchUp();
      await jobs.engine.drain((to) => service.clock.set(to));
      return { calls: runs.platform.calls - calls, run: await getRunSummary(service, runs.next) };
    }

    it.each(["06:00", "09:00", "23:59:59.999"])("creates the missing run of the day at %s", async (time) => {
      const { calls, run } = await startAt(time);
      expect(calls).toBeGreaterThan(0);
      expect(run).toMatchObject({
        failed: 0,
        started_at: `${runs.next}T${time.padEnd(8, ":00").padEnd(12, ".000")}Z`,
      });
      expect(run?.finished_at).not.toBeNull();
    });

    it.each(["00:00", "05:00", "05:59:59.999"])("creates no run at %s, before it is due", async (time) => {
      expect(await startAt(time)).toEqual({ calls: 0, run: null });
    });

    it("leaves a finished run alone", async () => {
      await runs.run(runs.next);
      const before = await service.db.select().from(snapshotRuns);
      expect(await startAt("09:00")).toMatchObject({ calls: 0 });
      expect(await service.db.select().from(snapshotRuns)).toEqual(before);
    });

    it("finishes a run that was started by hand before it was due", async () => {
      await runs.run(runs.next, "03:00");
      await service.db.update(snapshotRuns).set({ finishedAt: null }).where(eq(snapshotRuns.day, runs.next));
      const { calls, run } = await startAt("04:00");
      expect(calls).toBe(0);
      expect(run?.finished_at).toBe(`${runs.next}T04:00:00.000Z`);
    });

    it("creates the day's run once together with its schedule", async () => {
      const key = await createKey(service);
      const id = await runs.track(key.id, 1000);
      runs.platform.show(id, runs.next, 1500);
      const posts = runs.channel.posts.length;
      runs.setTime(runs.next, "06:00");
      service.engine.fireCron("creator-growth-plan-day", service.clock.now());
      await service.catchUp();
      await service.drain();
      expect(await getRunSummary(service, runs.next)).toMatchObject({ failed: 0, alerts: 1 });
      expect(runs.channel.posts).toHaveLength(posts + 1);
    });
  });
});
