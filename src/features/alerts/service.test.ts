import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { addDays, HOUR, toDate } from "@/core/time";
import { alerts, deliveries } from "@/db/schema";
import { upsertChannels } from "@/features/growth/service";
import { createChannelId, createFakePlatform } from "@/test/platform";
import { send } from "@/test/request";
import { createKey, TEST_START, type TestKey, useService } from "@/test/service";
import { getInbox, listAlertCreators } from "./inbox.service";
import type { AlertFilter } from "./schema";
import { listAlerts } from "./service";

const CHANNEL = createChannelId(1);
const OTHER_CHANNEL = createChannelId(2);

describe("alerts", () => {
  const service = useService();

  beforeAll(async () => {
    const platform = createFakePlatform(service.clock);
    for (const id of [CHANNEL, OTHER_CHANNEL]) platform.show(id, "2026-03-10", 1000);
    const readings = (await platform.listChannels([CHANNEL, OTHER_CHANNEL])).channels;
    await upsertChannels(service, readings);
  });

  function buildAlert(key: TestKey, more: Partial<typeof alerts.$inferInsert> = {}): typeof alerts.$inferInsert {
    return {
      keyId: key.id,
      channelId: CHANNEL,
      day: "2026-03-10",
      subscribersBefore: 1000,
      subscribersAfter: 1125,
      severity: "WATCH",
      message: "Some Maker grew 12.5% in one day (1,000 → 1,125)",
      createdAt: toDate(TEST_START),
      ...more,
    };
  }

  const insert = async (...rows: (typeof alerts.$inferInsert)[]) => {
    await service.db.insert(alerts).values(rows);
  };

  describe("list of alerts", () => {
    it("returns no alerts for a new key", async () => {
      const { secret } = await createKey(service);
      const { status, body } = await send("/api/alerts", { key: secret });
      expect(status).toBe(200);
      expect(body).toEqual({
        status: "ok",
        pagination: { total: 0, offset: 0, limit: 20, has_more: false },
        alerts: [],
        next_after: null,
      });
    });

    it("returns exactly the documented fields of an alert", async () => {
      const key = await createKey(service);
      const id = randomUUID();
      await insert(buildAlert(key, { id }));
      const { body } = await send("/api/alerts", { key: key.secret });
      expect(body).toEqual({
        status: "ok",
        pagination: { total: 1, offset: 0, limit: 20, has_more: false },
        alerts: [
          {
            id,
            day: "2026-03-10",
            channel_id: CHANNEL,
            alert_type: "HIGH_GROWTH",
            message: "Some Maker grew 12.5% in one day (1,000 → 1,125)",
            created_at: "2026-03-10T12:00:00.000Z",
            percent: 12.5,
            subscribers_before: 1000,
            subscribers_after: 1125,
            growth_low: 11.4,
            growth_high: 13.4,
            certain: true,
            severity: "WATCH",
            channel_url: `https://www.youtube.com/channel/${CHANNEL}`,
            label: null,
            reason: null,
            cause: {
              kind: "unknown",
              text: "Cause unknown. The videos were not read in time.",
              read_at: null,
              videos: [],
            },
            held_chance: null,
            outcome: null,
          },
        ],
        next_after: null,
      });
    });

    it("returns counts above 32 bits exactly", async () => {
      const key = await createKey(service);
      const counts = { subscribersBefore: 3_000_000_000, subscribersAfter: 3_300_000_001 };
      await insert(buildAlert(key, counts));
      const { body } = await send("/api/alerts", { key: key.secret });
      expect(body.alerts).toMatchObject([
        { subscribers_before: 3_000_000_000, subscribers_after: 3_300_000_001, percent: 10, certain: false },
      ]);
    });
  });

  describe("console inbox", () => {
    const ALL = { severity: null, channel_id: null, day: null };
    const read = async (key: TestKey, filter: Partial<AlertFilter> = {}) =>
      (await getInbox(service, key.id, { offset: 0, limit: 20 }, { ...ALL, ...filter })).alerts;

    async function insertMailed(key: TestKey, mail: Partial<typeof deliveries.$inferInsert>) {
      const [alert] = await service.db.insert(alerts).values(buildAlert(key)).returning({ id: alerts.id });
      const alertId = alert?.id ?? "";
      const common = { alertId, createdAt: toDate(TEST_START), attempts: 1 };
      await service.db.insert(deliveries).values([
        { ...common, destination: "monitoring", status: "failed" },
        { ...common, destination: "email", recipient: "scout@example.com", status: "pending", ...mail },
      ]);
    }

    it.each([
      [{ status: "pending" }, "pending"],
      [{ status: "sending" }, "pending"],
      [{ status: "sent" }, "sent"],
      [{ status: "sent", receipt: "delayed" }, "delayed"],
      [{ status: "sent", receipt: "delivered" }, "delivered"],
      [{ status: "sent", receipt: "bounced" }, "bounced"],
      [{ status: "sent", receipt: "complained" }, "complained"],
      [{ status: "sent", receipt: "failed" }, "failed"],
      [{ status: "failed" }, "failed"],
      [{ status: "skipped" }, "skipped"],
      [{ status: "unknown" }, "unknown"],
    ] as const)("shows an email that is %o as %s", async (mail, state) => {
      const key = await createKey(service);
      await insertMailed(key, mail);
      const [alert] = await read(key);
      expect(alert?.mail).toEqual({ state, recipient: "scout@example.com", at: TEST_START });
    });

    it("shows when the email reached its state, and null without an email", async () => {
      const key = await createKey(service);
      const [finishedAt, receiptAt] = [1, 2].map((hours) => toDate(toDate(TEST_START).getTime() + hours * HOUR));
      await insertMailed(key, { status: "sent", receipt: "delivered", finishedAt, receiptAt });
      expect((await read(key))[0]?.mail?.at).toBe(receiptAt?.toISOString());
      const unmailed = await createKey(service);
      await insert(buildAlert(unmailed));
      expect((await read(unmailed))[0]).toMatchObject({
        mail: null,
        day: "2026-03-10",
        creator_name: "Channel 0001",
      });
    });

    it("filters by severity and creator, and lists the creators that have alerts", async () => {
      const key = await createKey(service);
      await insert(
        buildAlert(key),
        buildAlert(key, { day: "2026-03-09", severity: "SURGING" }),
        buildAlert(key, { channelId: OTHER_CHANNEL, severity: "SURGING" }),
      );
      expect(await read(key)).toHaveLength(3);
      expect(await read(key, { severity: "SURGING" })).toHaveLength(2);
      const both = await read(key, { severity: "SURGING", channel_id: OTHER_CHANNEL });
      expect(both.map(({ channel_id }) => channel_id)).toEqual([OTHER_CHANNEL]);
      expect(await listAlertCreators(service, key.id)).toEqual([
        expect.objectContaining({ channel_id: CHANNEL, alerts: 2 }),
        expect.objectContaining({ channel_id: OTHER_CHANNEL, alerts: 1 }),
      ]);
    });

    it("lists at most 500 creators, those with the latest alerts", async () => {
      const key = await createKey(service);
      await insert(buildAlert(key, { createdAt: toDate("2026-01-01T06:00:00Z") }));
      await service.db.execute(sql`
        with made as (
          insert into channels (id, name, status, read_at, score, score_basis, score_version)
          select 'UCmany' || lpad(n::text, 18, '0'), 'Many ' || n, 'active', now(), null, 'profile', 1
          from generate_series(1, 500) as n returning id
        )
        insert into alerts (key_id, channel_id, day, subscribers_before, subscribers_after, severity, message, created_at)
        select ${key.id}, id, '2026-03-10', 500, 600, 'RISING FAST', 'grew', '2026-03-10T06:00:00Z' from made`);
      const creators = await listAlertCreators(service, key.id);
      expect(creators).toHaveLength(500);
      expect(creators.map(({ channel_id }) => channel_id)).not.toContain(CHANNEL);
    });

    it("shows nothing of another key: no alert, no email, no creator", async () => {
      const [key, other] = [await createKey(service), await createKey(service)];
      await insertMailed(other, { status: "sent", recipient: "other@example.com" });
      expect(await read(key)).toEqual([]);
      expect(await read(key, { channel_id: CHANNEL })).toEqual([]);
      expect(await listAlertCreators(service, key.id)).toEqual([]);
      await insert(buildAlert(key));
      expect((await read(key)).map(({ mail }) => mail)).toEqual([null]);
    });
  });

  describe("pages of alerts", () => {
    const total = 45;
    let key: TestKey;

    beforeAll(async () => {
      key = await createKey(service);
      const rows = Array.from({ length: total }, (_, index) =>
        buildAlert(key, {
          day: addDays("2026-01-01", index),
          createdAt: toDate(Date.parse(TEST_START) + Math.floor(index / 3) * HOUR),
          message: `alert ${index}`,
        }),
      );
      // Neither insertion order nor the days give the order of the list.
      await insert(...rows.filter((_, index) => index % 2 === 0), ...rows.filter((_, index) => index % 2 === 1));
      const other = await createKey(service);
      await insert(buildAlert(other), buildAlert(other, { channelId: OTHER_CHANNEL }));
    });

    const readPage = (offset: number, limit: number) => listAlerts(service, key.id, { offset, limit });

    it("lists alerts newest first", async () => {
      const { alerts: all } = await readPage(0, 100);
      const times = all.map((alert) => alert.created_at);
      expect(times).toHaveLength(total);
      expect(times).toEqual(times.toSorted().toReversed());
    });

    it.each([1, 2, 4, 7, 15, 20, 44, 45, 46, 100])(
      "shows every alert once, in list order, in pages of %i",
      async (limit) => {
        const all = (await readPage(0, 100)).alerts.map(({ message }) => message);
        expect(new Set(all).size).toBe(total);
        const walked: string[] = [];
        for (let offset = 0, more = true; more; offset += limit) {
          const { pagination, alerts: shown } = await readPage(offset, limit);
          expect(pagination).toEqual({ total, offset, limit, has_more: offset + limit < total });
          walked.push(...shown.map(({ message }) => message));
          more = pagination.has_more;
        }
        expect(walked).toEqual(all);
      },
    );

    it.each([
      [0, 44, true, 44],
      [0, 45, false, 45],
      [25, 20, false, 20],
      [24, 20, true, 20],
      [44, 1, false, 1],
      [43, 1, true, 1],
      [45, 1, false, 0],
      [2_147_483_647, 100, false, 0],
    ])("returns has_more for offset %i and limit %i: %s", async (offset, limit, more, shown) => {
      const answer = await readPage(offset, limit);
      expect(answer.pagination).toEqual({ total, offset, limit, has_more: more });
      expect(answer.alerts).toHaveLength(shown);
    });

    it.each(["limit=0", "limit=101", "limit=1e1", "limit=5.0", "limit=", "offset=-1", "offset=2147483648"])(
      "refuses %s with 400",
      async (query) => {
        const { status, body } = await send(`/api/alerts?${query}`, { key: key.secret });
        const field = query.split("=")[0];
        expect(status).toBe(400);
        expect(body.issues).toEqual([
          { field, message: expect.stringMatching(/^must be (a whole number from )?\d+ to \d+$/) },
        ]);
      },
    );
  });

  describe("database constraints on alerts", () => {
    const expectConstraintError = (constraint: string) => ({
      cause: expect.objectContaining({ constraint_name: constraint }),
    });

    it.each([
      [1000, 1100],
      [3_000_000_000, 3_300_000_000],
      [1000, 900],
      [0, 100],
    ])("refuses growth of 10 percent or less: %i to %i", async (subscribersBefore, subscribersAfter) => {
      const key = await createKey(service);
      const row = buildAlert(key, { subscribersBefore, subscribersAfter });
      await expect(insert(row)).rejects.toMatchObject(expectConstraintError("alerts_growth_above_ten_percent"));
      if (subscribersBefore > 0 && subscribersAfter > subscribersBefore)
        await insert({ ...row, subscribersAfter: subscribersAfter + 1 });
    });

    it("refuses a second alert of the same key, channel and day, and no other", async () => {
      const [key, other] = [await createKey(service), await createKey(service)];
      await insert(buildAlert(key));
      const again = buildAlert(key, { subscribersAfter: 2000, severity: "EXPLOSIVE" });
      await expect(insert(again)).rejects.toMatchObject(expectConstraintError("alerts_once_per_key_channel_day"));
      await insert(buildAlert(other));
      await insert(buildAlert(key, { day: "2026-03-11" }));
      await insert(buildAlert(key, { channelId: OTHER_CHANNEL }));
      expect((await listAlerts(service, key.id, { offset: 0, limit: 20 })).pagination.total).toBe(3);
    });
  });

  describe("alert email address", () => {
    const path = "/api/alerts/email";

    it("sets, replaces and clears the address, and clearing it again changes nothing", async () => {
      const { secret: key } = await createKey(service);
      const readCurrent = async () => (await send(path, { key })).body;
      const none = { status: "ok", email: null, delivery: null, delivery_since: null, delivery_hint: null };
      const active = { delivery: "active", delivery_since: TEST_START, delivery_hint: null };
      expect(await readCurrent()).toEqual(none);
      for (const email of ["scout@example.com", "New.Scout+growth@sub.example.co"]) {
        const { status, body } = await send(path, { key, method: "POST", body: { email } });
        expect(status).toBe(200);
        expect(body).toEqual({
          status: "ok",
          message: `Alert emails will be sent to ${email}`,
          email,
          ...active,
        });
        expect(await readCurrent()).toEqual({ status: "ok", email, ...active });
      }
      for (let times = 0; times < 2; times++) {
        const { status, body } = await send(path, { key, method: "DELETE" });
        expect(status).toBe(200);
        expect(body).toEqual({ status: "ok", message: "Alert emails will no longer be sent", email: null });
        expect(await readCurrent()).toEqual(none);
      }
    });

    it.each([
      null,
      7,
      "",
      "scout",
      "a@b",
      "a@b@c.example",
      `${"a.".repeat(125)}a@b.example`,
      `${"a".repeat(65)}@b.example`,
      "a@b.example\n.c",
    ])("refuses the address %j and keeps the earlier one", async (email) => {
      const { secret: key } = await createKey(service);
      await send(path, { key, method: "POST", body: { email: "scout@example.com" } });
      const { status, body } = await send(path, { key, method: "POST", body: { email } });
      expect(status).toBe(400);
      expect(body.issues).toMatchObject([{ field: "email" }]);
      expect((await send(path, { key })).body.email).toBe("scout@example.com");
    });
  });
});
