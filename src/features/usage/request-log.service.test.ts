import { eq, sql } from "drizzle-orm";
import { pino } from "pino";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { addDays, DAY, startOfDay, toDate, toUtcDay } from "@/core/time";
import { connect } from "@/db/client";
import { requestLog } from "@/db/schema";
import type { KeyId } from "@/features/keys/schema";
import { deleteKey } from "@/features/keys/service";
import { installContext } from "@/server/context";
import { send } from "@/test/request";
import { createKey, TEST_START, type TestKey, useService } from "@/test/service";
import { KEPT_PER_KEY, REFUSED_KEPT_PER_DAY } from "./request-log.rules";
import { createRequestLog, listRequests, purgeRequests } from "./request-log.service";
import type { LoggedRequest, RequestFilter } from "./schema";

describe("request log", () => {
  const service = useService();
  let key: TestKey;
  let warnings: string[];

  beforeEach(async () => {
    service.clock.set(TEST_START);
    key = await createKey(service);
    warnings = [];
    installContext(service);
  });

  const createLog = () => pino({ level: "warn" }, { write: (line: string) => warnings.push(line) });
  const callApi = (path: string, options: Parameters<typeof send>[1] = {}) =>
    send(path, { key: key.secret, ...options });
  const buildRequest = (change: Partial<LoggedRequest> = {}): LoggedRequest => ({
    keyId: key.id,
    at: service.clock.now(),
    requestId: "req_1",
    method: "GET",
    endpoint: "/api/usage",
    path: "/api/usage",
    query: "",
    status: 200,
    milliseconds: 1.5,
    ...change,
  });
  const record = async (...requests: LoggedRequest[]) => {
    const requestLog = createRequestLog({ ...service, log: createLog() });
    requests.forEach(requestLog.record);
    await requestLog.flush();
  };
  const countKept = async (filter?: RequestFilter) => {
    await service.requests.flush();
    return (await listRequests(service, key.id, filter)).requests;
  };
  const countRequests = () => service.db.$count(requestLog, eq(requestLog.keyId, key.id));

  describe("logged requests", () => {
    it("writes the log as soon as 50 entries wait", async () => {
      const requestLog = createRequestLog({ ...service, log: createLog() }, { flushAfter: 3_600_000 });
      const logRequest = () => requestLog.record(buildRequest());
      for (let noted = 0; noted < 49; noted++) logRequest();
      expect(await countRequests()).toBe(0);
      logRequest();
      await vi.waitFor(async () => expect(await countRequests()).toBe(50));
    });

    it("logs every request of the key with its outcome, newest first, refused ones too", async () => {
      await callApi("/api/discover?niche=gaming&limit=3");
      service.clock.advance(1000);
      await callApi("/api/alerts?limit=0", { headers: { "X-Request-Id": "trace-0001" } });
      service.clock.advance(1000);
      await callApi("/api/nothing", { method: "PUT" });
      await Promise.all(Array.from({ length: 47 }, () => service.quota.take(key.id, 50)));
      service.clock.advance(1000);
      await callApi("/api/usage");
      expect(await countKept()).toMatchObject([
        { method: "GET", path: "/api/usage", query: "", status: 429 },
        { method: "PUT", path: "/api/nothing", query: "", status: 404, at: "2026-03-10T12:00:02.000Z" },
        { method: "GET", path: "/api/alerts", query: "limit=0", status: 400, request_id: "trace-0001" },
        { method: "GET", path: "/api/discover", query: "niche=gaming&limit=3", status: 200, at: TEST_START },
      ]);
      for (const { milliseconds } of await countKept()) expect(milliseconds).toBeGreaterThan(0);
    });

    it("logs nothing without a valid key, and nothing of another key", async () => {
      await send("/api/usage", { key: "cg_wrong" });
      await send("/api/usage", { key: (await createKey(service)).secret });
      await send("/api/health");
      expect(await countKept()).toEqual([]);
    });

    it("logs no key, no body and no parameter that the endpoint does not know", async () => {
      const { secret } = key;
      await callApi(`/api/alerts?limit=5&api_key=${secret}&token=hunter2`);
      await callApi(`/api/discover?niche=${secret}`);
      await callApi(`/api/track/${secret}/history`);
      await callApi("/api/alerts/email", { method: "POST", body: { email: "private@example.com" } });
      await countKept();
      const rows = await service.db.select().from(requestLog).where(eq(requestLog.keyId, key.id));
      expect(rows.map(({ path, query }) => [path, query])).toEqual([
        ["/api/alerts", "limit=5"],
        ["/api/discover", "niche=cg_…"],
        ["/api/track/cg_…/history", ""],
        ["/api/alerts/email", ""],
      ]);
      for (const secretText of [secret.slice(3, 20), "hunter2", "private"])
        expect(JSON.stringify(rows)).not.toContain(secretText);
    });

    it("cuts path and query to a bounded length", async () => {
      await callApi(`/api/${"x".repeat(5000)}`);
      await callApi(`/api/discover?niche=${"%F0%9F%8E%AE".repeat(500)}`);
      const [niche, path] = await countKept();
      expect([path?.path.length, niche?.query.length]).toEqual([300, 300]);
    });
  });

  describe("writing the log", () => {
    it("writes any number of requests in one transaction", async () => {
      await record(...Array.from({ length: 3000 }, (_, at) => buildRequest({ requestId: `req_${at}` })));
      const [written] = await service.db.execute<{ rows: number; transactions: number }>(sql`
      select count(*)::int as rows, count(distinct xmin::text)::int as transactions
      from request_log where key_id = ${key.id}`);
      expect(written).toEqual({ rows: 3000, transactions: 1 });
    });

    it("skips entries of a deleted key and keeps the others", async () => {
      const gone = await Promise.all([createKey(service), createKey(service)]);
      for (const { id } of gone) await deleteKey(service, id);
      await record(...gone.map(({ id }) => buildRequest({ keyId: id })), buildRequest());
      expect(await countRequests()).toBe(1);
      expect(warnings).toEqual([]);
    });

    it("deletes the entries with their key", async () => {
      await record(buildRequest());
      await deleteKey(service, key.id);
      expect(await countRequests()).toBe(0);
    });

    it("logs a failed write for the operator only", async () => {
      const { db, close } = connect("postgres://nobody:secret@127.0.0.1:1/nothing");
      const requests = createRequestLog({ ...service, db, log: createLog() });
      installContext({ ...service, requests });
      expect((await callApi("/api/usage")).status).toBe(200);
      await requests.flush();
      await close();
      expect(JSON.parse(warnings.join())).toMatchObject({ level: 40, lost: 1 });
    });

    it("drops and counts entries above its limit", async () => {
      const requests = createRequestLog({ ...service, log: createLog() }, { maxQueued: 2 });
      for (let number = 0; number < 5; number++) requests.record(buildRequest());
      await requests.flush();
      expect(await countRequests()).toBe(2);
      expect(JSON.parse(warnings.join())).toMatchObject({ lost: 3 });
    });

    it("keeps the first refused requests of each day", async () => {
      const refused = Array.from({ length: REFUSED_KEPT_PER_DAY + 5 }, () => buildRequest({ status: 429 }));
      const tomorrow = startOfDay(addDays(toUtcDay(service.clock.now()), 1));
      await record(...refused, buildRequest(), buildRequest({ status: 429, at: tomorrow }));
      expect(await countRequests()).toBe(REFUSED_KEPT_PER_DAY + 2);
    });
  });

  describe("GET /api/usage/requests, /api/usage/days and /api/usage/endpoints", () => {
    const readLog = async (search: string, { secret } = key) =>
      (await send(`/api/usage/requests${search}`, { key: secret })).body;
    const listIds = ({ requests }: { requests: { request_id: string }[] }) =>
      requests.map(({ request_id }) => request_id);
    const recordFour = () =>
      record(
        buildRequest({ requestId: "a", at: toDate("2026-03-08T23:59:59.999Z") }),
        buildRequest({ requestId: "b", at: toDate("2026-03-09T00:00:00.000Z"), status: 304 }),
        buildRequest({ requestId: "c", method: "POST", path: "/api/track", status: 404 }),
        buildRequest({ requestId: "d", status: 503, query: "limit=5" }),
      );

    it.each([
      ["", ["d", "c", "b", "a"]],
      ["?status=3xx", ["b"]],
      ["?status=4xx&method=POST", ["c"]],
      ["?status=503", ["d"]],
      ["?from=2026-03-09&to=2026-03-09", ["b"]],
      ["?to=2026-03-08", ["a"]],
      ["?to=9999-12-31&status=503", ["d"]],
    ])("lists the requests of %s", async (search, expected) => {
      await recordFour();
      expect(listIds(await readLog(search))).toEqual(expected);
    });

    it("pages with next_before, and shows no request of another key", async () => {
      await recordFour();
      await record(buildRequest({ keyId: (await createKey(service)).id, requestId: "theirs" }));
      const first = await readLog("?limit=3");
      expect(listIds(first)).toEqual(["d", "c", "b"]);
      const second = await readLog(`?limit=3&before=${first.next_before}`);
      expect(second).toMatchObject({ requests: [{ request_id: "a" }], next_before: null });
    });

    it("is a CSV file of the whole filter", async () => {
      await recordFour();
      const { headers, text } = await send("/api/usage/requests?format=csv&status=5xx", { key: key.secret });
      expect(headers.get("content-type")).toContain("text/csv");
      expect([headers.get("x-total-rows"), headers.get("x-truncated")]).toEqual(["1", "false"]);
      expect(text).toBe(
        `request_id,at,method,path,query,status,milliseconds\r\nd,${TEST_START},GET,/api/usage,limit=5,503,1.5\r\n`,
      );
    });

    it.each([
      "status=6xx",
      "status=abc",
      "method=TRACE",
      "before=x",
      "limit=0",
      "from=2026-03-09&to=2026-03-08",
      "format=csv&limit=5",
    ])("refuses %s", async (search) => {
      expect((await send(`/api/usage/requests?${search}`, { key: key.secret })).status).toBe(400);
    });

    it("counts each of the last 30 days for this key alone, today's including the request itself", async () => {
      const other = await createKey(service);
      await send("/api/usage", { key: other.secret });
      await service.quota.take(key.id, 50);
      const { days } = (await send("/api/usage/days", { key: key.secret })).body;
      expect(days).toHaveLength(30);
      expect(days[0]).toEqual({ day: "2026-02-09", requests: 0 });
      expect(days.at(-1)).toEqual({ day: "2026-03-10", requests: 2 });
    });

    it("counts the key's requests by documented path, method and status, the most frequent first", async () => {
      const other = await createKey(service);
      for (const id of ["@one.maker", "@two.maker"]) await callApi(`/api/track/${id}`);
      await callApi("/api/track/@one.maker", { method: "DELETE" });
      for (const path of ["/api/nothing", "/api/usage/nothing", "/api/usage"]) await callApi(path);
      await send("/api/usage", { key: other.secret });
      await service.requests.flush();
      const one = { method: "GET", requests: 1 };
      expect((await callApi("/api/usage/endpoints")).body.endpoints).toEqual([
        { ...one, endpoint: "/api/track/{channel_id}", status: 404, requests: 2 },
        { ...one, endpoint: "unknown", status: 404, requests: 2 },
        { ...one, method: "DELETE", endpoint: "/api/track/{channel_id}", status: 404 },
        { ...one, endpoint: "/api/usage", status: 200 },
      ]);
    });

    it("counts the requests of a range of days, the log's days at most", async () => {
      await recordFour();
      await record(buildRequest({ at: toDate("2026-03-01T00:00:00.000Z") }));
      const count = async (search: string) => {
        const { endpoints } = (await callApi(`/api/usage/endpoints${search}`)).body;
        return endpoints.map(({ status }: { status: number }) => status);
      };
      await service.requests.flush();
      expect(await count("?from=2026-03-09&to=2026-03-09")).toEqual([304]);
      expect(await count("?to=2026-03-08")).toEqual([200]);
      expect(await count("?from=2020-01-01&to=2026-03-09")).toEqual([200, 304]);
      expect((await callApi("/api/usage/endpoints?from=2026-03-09&to=2026-03-08")).status).toBe(400);
    });
  });

  describe("list of requests", () => {
    const listIds = (entries: { request_id: string }[]) => entries.map(({ request_id }) => request_id);

    it.each<[RequestFilter, string[]]>([
      [{}, ["d", "c", "b", "a"]],
      [{ status: "2xx" }, ["b", "a"]],
      [{ status: "4xx" }, ["c"]],
      [{ status: 503 }, ["d"]],
      [{ method: "POST" }, ["b"]],
      [{ path: "/api/track" }, ["d", "b"]],
      [{ path: "track" }, ["d", "b"]],
      [{ path: "/api/tr%" }, []],
      [{ path: "niche=game" }, ["a"]],
      [{ path: "/api/track", status: "2xx", method: "POST" }, ["b"]],
    ])("filters requests by %j", async (filter, expected) => {
      await record(
        buildRequest({ requestId: "a", path: "/api/discover", query: "niche=games&limit=3" }),
        buildRequest({ requestId: "b", method: "POST", path: "/api/track" }),
        buildRequest({ requestId: "c", status: 404, path: "/api/nothing" }),
        buildRequest({ requestId: "d", status: 503, path: "/api/track/UC/history" }),
      );
      expect(listIds(await countKept(filter))).toEqual(expected);
    });

    it("returns each request once over all pages, also among those of the same instant", async () => {
      const instants = [1, 3, 14, 5, 2].flatMap((many, at) => Array<number>(many).fill(at));
      const made = instants.map((at, n) => ({
        requestId: `r${n}`,
        at: toDate(Date.parse(TEST_START) + at),
      }));
      await record(...made.map(buildRequest));
      for (const limit of [1, 2, 5, 7, 24, 25, 26]) {
        const seen: string[] = [];
        for (let before: string | null | undefined; before !== null; ) {
          const { requests, next_before } = await listRequests(service, key.id, { limit, before });
          seen.push(...listIds(requests));
          before = next_before;
        }
        expect(seen).toEqual(Array.from({ length: 25 }, (_, at) => `r${24 - at}`));
      }
    });

    it("returns cursors that reveal nothing of other keys' requests", async () => {
      const [quiet, other] = [await createKey(service), await createKey(service)];
      const readNext = async (keyId: KeyId) => (await listRequests(service, keyId, { limit: 1 })).next_before;
      await record(buildRequest({ keyId: quiet.id }), buildRequest({ keyId: quiet.id }));
      await record(
        buildRequest(),
        ...Array.from({ length: 7 }, () => buildRequest({ keyId: other.id })),
        buildRequest(),
      );
      expect(await readNext(key.id)).toBe(await readNext(quiet.id));
    });

    it("lists seven days of requests, before and after the purge", async () => {
      const toDaysAgo = (days: number) => new Date(service.clock.now().getTime() - days * DAY);
      await record(buildRequest({ requestId: "kept", at: toDaysAgo(7) }), buildRequest({ at: toDaysAgo(8) }));
      expect(listIds(await countKept())).toEqual(["kept"]);
      expect(await countRequests()).toBe(2);
      await purgeRequests(service);
      expect(await countRequests()).toBe(1);
    });

    it("keeps the newest requests of a key in the purge, up to a limit", async () => {
      await service.db.execute(sql`
      insert into request_log (key_id, at, request_id, method, endpoint, path, query, status, milliseconds)
      select ${key.id}, ${TEST_START}::timestamptz - number * interval '1 second', 'r' || number, 'GET', 'unknown', '/', '', 200, 1
      from generate_series(1, ${KEPT_PER_KEY + 5}) as number`);
      await purgeRequests(service);
      expect(await countRequests()).toBe(KEPT_PER_KEY);
      expect(listIds((await listRequests(service, key.id, { limit: 1 })).requests)).toEqual(["r1"]);
    });
  });
});
