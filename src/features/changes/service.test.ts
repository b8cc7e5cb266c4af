import { asc, eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { isReply } from "@/core/http/reply";
import { addDays, DAY, type Day } from "@/core/time";
import { type CoreContext, inTransaction } from "@/db/context";
import { addChanges } from "@/db/feed";
import { alerts, changes, keyPositions } from "@/db/schema";
import { gradeAlerts } from "@/features/alerts/outcomes.service";
import { AlertListQuery } from "@/features/alerts/query.schema";
import { queryAlerts } from "@/features/alerts/service";
import { trackCreator, trackUnread, untrackCreator, untrackCreators } from "@/features/creators/service";
import { deleteKey } from "@/features/keys/service";
import { finishBatches } from "@/features/snapshots/batches.service";
import { recordDaily } from "@/features/snapshots/daily.service";
import { planRun } from "@/features/snapshots/service";
import { pickNightly } from "@/test/cases";
import { useDailyRuns } from "@/test/daily-run";
import { createChannelId } from "@/test/platform";
import { send } from "@/test/request";
import { createKey, type TestKey } from "@/test/service";
import type { Change } from "./schema";
import { listChanges, purgeChanges } from "./service";

describe("changes", () => {
  const runs = useDailyRuns();
  const { service } = runs;

  const summarize = ({ type, channel_id, name, alert }: Change) => [
    type,
    channel_id,
    ...(name ? [name] : []),
    ...(alert ? [alert.day] : []),
  ];

  /** Reads the feed of a key from a cursor to its end. */
  async function readAll(key: TestKey, after = "", limit = 100): Promise<{ changes: Change[]; next_after: string }> {
    const found: Change[] = [];
    for (let cursor = after; ; ) {
      const page = await listChanges(service, key.id, { after: cursor, limit });
      found.push(...page.changes);
      cursor = page.next_after;
      if (!page.has_more) return { changes: found, next_after: cursor };
    }
  }

  describe("feed of changes", () => {
    it("returns every change once and in order, with the alert as it is now", async () => {
      const key = await createKey(service, "pro");
      const { day, next } = runs;
      const id = await runs.track(key.id, 1000, { name: "Old Name" });
      await trackCreator(service, key.id, { kind: "id", id });
      const setDay = (date: Day) => service.clock.set(`${date}T06:00:00.000Z`);
      const record = async (date: Day) =>
        recordDaily(service, date, service.clock.now(), (await runs.platform.listChannels([id])).channels);
      runs.platform.show(id, next, 1200, { name: "New Name" });
      setDay(next);
      await record(next);
      // A repeated step changes nothing.
      await record(next);
      setDay(addDays(next, 8));
      await gradeAlerts(service);
      setDay(addDays(next, 11));
      await gradeAlerts(service);
      const gone = addDays(next, 12);
      setDay(gone);
      const batches = await planRun(service, { day: gone, scope: "open", plans: 0 }, "planner");
      await finishBatches(service, gone, batches, []);
      await finishBatches(service, gone, batches, []);
      runs.platform.show(id, addDays(gone, 1), 1200, { name: "New Name" });
      setDay(addDays(gone, 1));
      await record(addDays(gone, 1));
      await untrackCreator(service, key.id, id);
      const { changes: found } = await readAll(key, "", 3);
      expect(found.map(summarize)).toEqual([
        ["tracked", id],
        ["alert_created", id, next],
        ["renamed", id, "New Name"],
        ["outcome_7d", id, next],
        ["unavailable", id],
        ["available", id],
        ["untracked", id],
      ]);
      expect(found[1]?.alert).toEqual(found[3]?.alert);
      expect(found[1]?.alert).toMatchObject({ outcome: "unclear" });
      expect(day < next).toBe(true);
    });

    it("holds a change back until every change begun before it is committed", async () => {
      const key = await createKey(service);
      const insertChange = (number: number) => ({
        kind: "tracked" as const,
        channel_id: createChannelId(number),
        key_id: key.id,
      });
      const begun = createGate();
      const release = createGate();
      const first = inTransaction<CoreContext, void>(service, async (tx) => {
        await addChanges(tx, [insertChange(1)]);
        begun.open();
        await release.opened;
      });
      await begun.opened;
      const second = addChanges(service, [insertChange(2)]);
      // It waits for the first one, whose position comes before its own.
      const { changes: none, next_after } = await readAll(key);
      release.open();
      await Promise.all([first, second]);
      expect(none).toEqual([]);
      expect((await readAll(key, next_after)).changes.map(({ channel_id }) => channel_id)).toEqual([
        createChannelId(1),
        createChannelId(2),
      ]);
    });

    it("skips no position when a transaction fails", async () => {
      const key = await createKey(service);
      const change = { kind: "untracked" as const, channel_id: createChannelId(1), key_id: key.id };
      const failed = inTransaction<CoreContext, void>(service, async (tx) => {
        await addChanges(tx, [change]);
        throw new Error("killed");
      });
      await expect(failed).rejects.toThrow("killed");
      await addChanges(service, [change]);
      expect((await readAll(key)).changes).toHaveLength(1);
      const [row] = await service.db.select().from(keyPositions).where(eq(keyPositions.keyId, key.id));
      expect(row?.position).toBe(1);
    });

    it("deletes the changes with their key", async () => {
      const key = await createKey(service);
      await runs.track(key.id, 1000);
      await deleteKey(service, key.id);
      expect(await service.db.select().from(changes).where(eq(changes.keyId, key.id))).toEqual([]);
    });
  });

  describe("feed cursors", () => {
    it("finds neither another key's cursor nor an invented one, with the same 404", async () => {
      const [key, other] = [await createKey(service), await createKey(service)];
      await runs.track(other.id, 1000);
      const { next_after } = await readAll(other);
      const answers = [];
      for (const after of [next_after, "x", "MQ"])
        answers.push(await send(`/api/changes?after=${after}`, { key: key.secret }));
      for (const { status, body } of answers) {
        expect(status).toBe(404);
        expect(body).toEqual({ error: "after is not a cursor of your key", code: "cursor_not_found" });
      }
    });

    it.each(["MQ=", encodeURIComponent("1.é\u0000"), "x".repeat(101)])("refuses the malformed %s", async (after) => {
      const { status, body } = await send(`/api/changes?after=${after}`, { key: (await createKey(service)).secret });
      const message = "must be the next_after of an earlier response, or empty";
      expect([status, body.issues]).toEqual([400, [{ field: "after", message }]]);
    });

    it("answers 410 to an expired cursor, with the oldest valid one; keeps a current cursor", async () => {
      const [key, quiet] = [await createKey(service, "pro"), await createKey(service)];
      const id = await runs.track(key.id, 1000);
      await runs.track(quiet.id, 1000);
      const first = (await listChanges(service, key.id, { after: "", limit: 1 })).next_after;
      const still = (await readAll(quiet)).next_after;
      await untrackCreator(service, key.id, id);
      service.clock.advance(31 * DAY);
      await trackUnread(service, key.id, [id]);
      await purgeChanges(service);
      await purgeChanges(service);
      const answer = await send(`/api/changes?after=${first}`, { key: key.secret });
      expect(answer.status).toBe(410);
      expect(answer.headers.get("link")).toBe('<http://growth.test/docs/errors#cursor_expired>; rel="help"');
      const { changes: kept } = await readAll(key, answer.body.oldest_after);
      expect(kept.map(summarize)).toEqual([["tracked", id]]);
      expect((await readAll(key)).changes).toEqual(kept);
      expect((await send(`/api/changes?after=${still}`, { key: quiet.secret })).body).toEqual({
        status: "ok",
        changes: [],
        next_after: still,
        has_more: false,
      });
    });

    it("keeps the order of alerts whose changes were purged", async () => {
      const key = await createKey(service);
      const older = await runs.makeAlert(key.id);
      service.clock.advance(31 * DAY);
      await purgeChanges(service);
      runs.day = addDays(runs.day, 40);
      runs.next = addDays(runs.day, 1);
      const newer = await runs.makeAlert(key.id);
      const listIds = async (after: string) =>
        (await send(`/api/alerts?after=${after}`, { key: key.secret })).body.alerts.map(({ id }: { id: string }) => id);
      expect([await listIds(""), await listIds(older), await listIds(newer)]).toEqual([[older, newer], [newer], []]);
    });
  });

  const KEYS = 10;
  const BATCHES = 6;
  const PER_BATCH = 12;
  const DAYS = pickNightly(3, 12);

  describe("feeds read during parallel writes", () => {
    it("returns every alert and change once to readers while many batches are written", async () => {
      const keys = await Promise.all(Array.from({ length: KEYS }, () => createKey(service, "pro")));
      const ids = Array.from({ length: BATCHES * PER_BATCH }, (_, number) => createChannelId(5000 + number));
      let day = addDays(runs.day, 100);
      for (const id of ids) runs.platform.show(id, day, 1000);
      service.clock.set(`${day}T05:00:00.000Z`);
      // Each key in a different order.
      await Promise.all(
        keys.map(({ id }, at) => trackUnread(service, id, [...ids.slice(at * 5), ...ids.slice(0, at * 5)])),
      );
      let isWriting = true;
      const mirrors = keys.map((key) => mirror(key, () => isWriting));
      let count = 1000;
      for (let left = DAYS; left >= 0; left--, day = addDays(day, 1), count = Math.ceil(count * 1.2)) {
        for (const [at, id] of ids.entries())
          runs.platform.show(id, day, count, { name: `Name ${at % 3 ? "" : left} of ${at}` });
        service.clock.set(`${day}T06:00:00.000Z`);
        await writeDay(day, ids, keys);
      }
      isWriting = false;
      for (const [at, { alertIds, feed }] of (await Promise.all(mirrors)).entries()) {
        const key = keys[at]?.id ?? "";
        const stored = await service.db
          .select()
          .from(changes)
          .where(eq(changes.keyId, key))
          .orderBy(asc(changes.position));
        expect(feed).toEqual(stored.map(({ kind, channelId: id, alertId }) => `${kind} ${id} ${alertId}`));
        const created = stored.flatMap(({ kind, alertId }) => (kind === "alert_created" ? [alertId] : []));
        expect(alertIds).toEqual(created);
        const made = await service.db.select({ id: alerts.id }).from(alerts).where(eq(alerts.keyId, key));
        expect(new Set(created)).toEqual(new Set(made.map(({ id }) => id)));
        expect(made.length).toBeGreaterThan(DAYS * PER_BATCH);
      }
    });

    /** Writes all batches of a day at once, while keys untrack and track creators. */
    async function writeDay(day: Day, ids: string[], keys: TestKey[]): Promise<void> {
      const at = service.clock.now();
      const batches = Array.from({ length: BATCHES }, (_, batch) =>
        ids.slice(batch * PER_BATCH, (batch + 1) * PER_BATCH),
      );
      await Promise.all([
        ...batches.map(async (batch) =>
          recordDaily(service, day, at, (await runs.platform.listChannels(batch)).channels),
        ),
        ...keys.map(async ({ id: key }, index) => {
          const some = ids.slice(index, index + 3);
          await untrackCreators(service, key, some);
          for (const id of some) await trackCreator(service, key, { kind: "id", id });
        }),
      ]);
    }

    async function mirror(key: TestKey, isWriting: () => boolean) {
      const alertIds: string[] = [];
      const feed: string[] = [];
      let [lastAlert, cursor] = ["", ""];
      for (let isLast = false; ; ) {
        const query = AlertListQuery.parse({ after: lastAlert, limit: "7" });
        const page = await queryAlerts(service, key.id, query);
        if (isReply(page)) throw new Error("it is JSON");
        alertIds.push(...page.alerts.map(({ id }) => id));
        lastAlert = page.next_after ?? "";
        const {
          changes: found,
          next_after,
          has_more,
        } = await listChanges(service, key.id, { after: cursor, limit: 5 });
        feed.push(...found.map(({ type, channel_id, alert }) => `${type} ${channel_id} ${alert?.id ?? null}`));
        cursor = next_after;
        if (isLast && !has_more && !page.pagination.has_more) return { alertIds, feed };
        isLast = !isWriting();
      }
    }
  });
});

/** A promise that the test resolves. */
function createGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}
