import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { addDays, DAY, HOUR, MINUTE, toDate } from "@/core/time";
import { alerts, deliveries, digestKeys, digests, snapshotRuns } from "@/db/schema";
import { deleteKey, revokeKey } from "@/features/keys/service";
import { recordDaily } from "@/features/snapshots/daily.service";
import { purgeExpired } from "@/features/snapshots/retention.service";
import { createJobs } from "@/server/jobs";
import { useDailyRuns } from "@/test/daily-run";
import { useInterruptible } from "@/test/interruptible";
import type { TestKey } from "@/test/service";
import { clearAlertEmail, setAlertEmail } from "./addresses.service";
import { deliverDigest } from "./deliveries.service";
import { getDigestWeek } from "./digests.rules";
import { hasDigest, planDigests, setDigest } from "./digests.service";
import { recordMailEvent } from "./mail-events.service";
import { muteCreator } from "./mutes.service";
import { createUnsubscribeToken, unsubscribe } from "./suppressions.service";

it.each([
  ["2026-05-04T06:59:59.999Z", "2026-04-27"],
  ["2026-05-04T07:00:00Z", "2026-05-04"],
  ["2026-05-11T06:59:59.999Z", "2026-05-04"],
])("returns at %s the digest week of Monday %s", (now, week) => {
  expect(getDigestWeek(toDate(now))).toBe(week);
});

describe("weekly digest", () => {
  const runs = useDailyRuns();
  const { service } = runs;
  const interrupted = useInterruptible(() => service.databaseUrl);
  let monday = "2026-04-27";

  beforeEach(async () => {
    await service.db.delete(digestKeys);
    monday = addDays(monday, 7);
    runs.day = addDays(monday, -7);
    runs.setTime(runs.day, "12:00");
  });

  /** A key that wants digests, with an address and a creator that grew in the week. */
  async function createReader(growth: [number, number] = [1000, 1080]) {
    runs.setTime(runs.day, "12:00");
    const { key, email } = await runs.createMailedKey();
    await setDigest(service, key.id, true);
    const creator = await grow(key, ...growth);
    return { key, email, creator };
  }

  /** Creates a creator with one count on each day of the week and another on Monday. */
  async function grow(key: TestKey, before: number, after: number, name?: string): Promise<string> {
    runs.setTime(runs.day, "12:00");
    const id = await runs.track(key.id, before, name ? { name } : {});
    runs.platform.show(id, monday, after, name ? { name } : {});
    for (const day of [runs.day, addDays(monday, -1), monday]) {
      runs.setTime(day, day === runs.day ? "12:00" : "06:00");
      await recordDaily(service, day, service.clock.now(), (await runs.platform.listChannels([id])).channels);
    }
    runs.setTime(monday, "07:00");
    return id;
  }

  /** Fires the schedule, and runs what follows. */
  async function fire(jobs: Pick<Awaited<ReturnType<typeof createJobs>>, "engine"> = service) {
    jobs.engine.fireCron("creator-growth-weekly-digests", service.clock.now());
    await jobs.engine.drain((to) => service.clock.set(to));
  }
  const listMailsTo = (email: string) =>
    runs.mailService.accepted.filter(({ to, tags }) => to === email && tags.kind === "digest");
  const findDelivery = async (key: TestKey) => {
    const [row] = await service.db
      .select({
        status: deliveries.status,
        problem: deliveries.problem,
        mail: deliveries.mail,
        id: deliveries.id,
      })
      .from(deliveries)
      .innerJoin(digests, eq(digests.id, deliveries.digestId))
      .where(eq(digests.keyId, key.id));
    return row;
  };

  it("waits until the day's run is finished", async () => {
    const { email } = await createReader();
    await service.db.insert(snapshotRuns).values({ day: monday, plans: 1, startedAt: service.clock.now() });
    await fire();
    expect(listMailsTo(email)).toEqual([]);
    await service.db.update(snapshotRuns).set({ finishedAt: service.clock.now() }).where(eq(snapshotRuns.day, monday));
    service.clock.advance(HOUR);
    await fire();
    expect(listMailsTo(email)).toHaveLength(1);
    await service.db.delete(snapshotRuns).where(eq(snapshotRuns.day, monday));
  });

  it("sends digests only while the key has them turned on", async () => {
    const { key, email } = await runs.createMailedKey();
    await grow(key, 1000, 1080);
    expect(await hasDigest(service, key.id)).toBe(false);
    await fire();
    await setDigest(service, key.id, true);
    await setDigest(service, key.id, true);
    expect(await hasDigest(service, key.id)).toBe(true);
    await setDigest(service, key.id, false);
    monday = addDays(monday, 7);
    runs.setTime(monday, "07:00");
    await fire();
    expect(listMailsTo(email)).toEqual([]);
  });

  it("lists top movers with range, score and level, the week's alerts and earlier outcomes", async () => {
    const { key, email } = await createReader([123_000, 130_000]);
    const strongest = await grow(key, 1000, 1300, "Pixel Foundry");
    await grow(key, 500, 560);
    await grow(key, 900, 700, "Shrinking");
    await muteCreator(service, key.id, await grow(key, 1000, 1900, "Muted"));
    const earlier = { keyId: key.id, channelId: strongest, severity: "WATCH", message: "x" } as const;
    const counts = { subscribersBefore: 100, subscribersAfter: 120 };
    for (const [days, outcome7d] of [
      [8, "held"],
      [9, "held"],
      [10, "faded"],
      [20, "unclear"],
    ] as const)
      await service.db.insert(alerts).values({
        ...earlier,
        ...counts,
        day: addDays(monday, -days),
        createdAt: toDate(service.clock.now().getTime() - days * DAY),
        outcome7d,
        outcome7dAt: toDate(service.clock.now().getTime() - (days - 7) * DAY),
      });
    await fire();
    const [mail] = listMailsTo(email);
    expect(mail?.subject).toBe("Your week: 2 alerts, Pixel Foundry grew 30.0%");
    expect(mail?.text).toContain("Pixel Foundry: +30.0%");
    expect(mail?.text).toMatch(/Channel \d+: \+5\.7% \(\+4\.8% to \+6\.6%\)\. Score \d+, [A-Z]/);
    expect(mail?.text).toContain("▲▲▲ SURGING: 1\n▲ WATCH: 1\nStrongest: Pixel Foundry grew 30.0% in one day");
    expect(mail?.text).toContain("2 held, 1 faded, 0 unclear");
    expect(mail?.text).not.toMatch(/Shrinking|Muted/);
    expect(mail?.html).toContain("http://growth.test/overview");
    const token = createUnsubscribeToken(service, key.id, email);
    expect(mail?.headers).toMatchObject({ "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" });
    expect(mail?.headers["List-Unsubscribe"]).toContain(token);
  });

  it("sends no digest after a week without movers, alerts and outcomes", async () => {
    const { key, email } = await createReader([1000, 990]);
    await fire();
    expect(listMailsTo(email)).toEqual([]);
    expect(await findDelivery(key)).toMatchObject({
      status: "skipped",
      problem: "nothing happened in the week",
    });
  });

  it("starts on the next Monday when a key turns digests on or sets its address mid-week", async () => {
    const late = await runs.createMailedKey();
    const mute = await createReader();
    await grow(late.key, 1000, 1080);
    await clearAlertEmail(service, mute.key.id);
    await fire();
    service.clock.advance(HOUR);
    await setDigest(service, late.key.id, true);
    await setAlertEmail(service, mute.key.id, mute.email);
    await fire();
    expect([...listMailsTo(late.email), ...listMailsTo(mute.email)]).toEqual([]);
    monday = addDays(monday, 7);
    runs.day = addDays(monday, -7);
    await grow(late.key, 1000, 1080);
    await grow(mute.key, 1000, 1080);
    await fire();
    expect(listMailsTo(late.email)).toHaveLength(1);
    expect(listMailsTo(mute.email)).toHaveLength(1);
  });

  describe("one digest per key and week", () => {
    it("sends one digest from two instances whose schedules fire each hour", async () => {
      const { email } = await createReader();
      const other = await createJobs(service);
      await Promise.all([fire(), fire(other), fire(await createJobs(service))]);
      for (let hours = 0; hours < 3; hours++) {
        service.clock.advance(HOUR);
        await Promise.all([fire(), fire(other)]);
      }
      expect(listMailsTo(email)).toHaveLength(1);
      expect(
        runs.mailService.tries.filter(({ sent }) => sent.to === email && sent.tags.kind === "digest"),
      ).toHaveLength(1);
    });

    it("sends a missed digest once within the hour, however often the process starts", async () => {
      const { key, email } = await createReader();
      await grow(key, 1000, 1200);
      runs.setTime(addDays(monday, 2), "15:00");
      for (let starts = 0; starts < 3; starts++) {
        const jobs = await createJobs(service);
        await jobs.catchUp();
        await fire(jobs);
        service.clock.advance(HOUR);
      }
      expect(listMailsTo(email)).toHaveLength(1);
    });

    it("sends the same bytes again if the process dies before the email service's answer", async () => {
      const { key, email } = await createReader();
      const [digestId = ""] = await planDigests(service, "email");
      runs.mailService.failures.push(new Error("the process died"));
      await expect(deliverDigest(service, digestId)).rejects.toThrow("died");
      await grow(key, 1000, 1400);
      service.clock.advance(30 * MINUTE);
      await service.catchUp();
      await service.drain();
      const tries = runs.mailService.tries.filter(({ sent }) => sent.idempotencyKey === `digest/${digestId}`);
      expect(tries.map(({ sent }) => sent)).toEqual([tries[0]?.sent, tries[0]?.sent]);
      expect(listMailsTo(email)).toHaveLength(1);
    });

    it("sends one digest if the process is cut off at any statement", async () => {
      const { key, email } = await createReader();
      const slowly = { ...service, db: interrupted.db };
      for (let nth = 1, isCut = true; isCut; nth++) {
        await service.db.delete(digests).where(eq(digests.keyId, key.id));
        const before = listMailsTo(email).length;
        isCut = await interrupted.breakAt(nth, nth % 2 ? "is lost" : "is not answered", async () => {
          const planned = await planDigests(slowly, "email").catch(() => []);
          for (const id of planned) await deliverDigest(slowly, id).catch(() => {});
        });
        service.clock.advance(10 * MINUTE);
        await service.catchUp();
        await fire();
        expect(listMailsTo(email).length - before, `cut at ${nth}`).toBe(1);
      }
    });
  });

  describe("recipients of digests", () => {
    it.each<[string, (key: TestKey, email: string) => Promise<unknown>]>([
      [
        "an address that unsubscribed",
        (key, email) => unsubscribe(service, createUnsubscribeToken(service, key.id, email)),
      ],
      [
        "an address that was set again and has not confirmed",
        async (key, email) => {
          await unsubscribe(service, createUnsubscribeToken(service, key.id, email));
          await setAlertEmail(service, key.id, email);
        },
      ],
      ["an address that was cleared", (key) => clearAlertEmail(service, key.id)],
      ["a revoked key", (key) => revokeKey(service, key.id)],
    ])("sends no digest to %s, before or after it is planned", async (_, end) => {
      const [early, late] = [await createReader(), await createReader()];
      await end(early.key, early.email);
      const planned = await planDigests(service, "email");
      expect(planned).toHaveLength(1);
      await end(late.key, late.email);
      await service.catchUp();
      await service.drain();
      expect([...listMailsTo(early.email), ...listMailsTo(late.email)]).toEqual([]);
      expect(await findDelivery(early.key)).toBeUndefined();
      expect(await findDelivery(late.key)).toMatchObject({ status: "skipped" });
    });

    it("sends no digest with YouTube's data unless an amendment was accepted", async () => {
      const { email } = await createReader();
      const youtube = { ...service, platform: { ...service.platform, name: "youtube" as const } };
      await fire(await createJobs(youtube));
      const [waiting = ""] = await planDigests(service, "email");
      const refused = await createJobs(youtube);
      await refused.catchUp();
      await refused.engine.drain((to) => service.clock.set(to));
      expect(waiting).not.toBe("");
      expect(listMailsTo(email)).toEqual([]);
      const amendment = { project: "123456789012", acceptedOn: "2026-01-01" };
      service.clock.advance(30 * MINUTE);
      const allowed = await createJobs({ ...youtube, env: { ...service.env, amendment } });
      await allowed.catchUp();
      await allowed.engine.drain((to) => service.clock.set(to));
      expect(listMailsTo(email)).toHaveLength(1);
      expect(listMailsTo(email)[0]?.text).toContain("Counts: YouTube.");
    });
  });

  it("sends no further digest to an address whose digest bounced", async () => {
    const { key, email } = await createReader();
    await fire();
    const { id: deliveryId = null } = (await findDelivery(key)) ?? {};
    await recordMailEvent(service, {
      id: "bounced-digest",
      at: service.clock.now(),
      messageId: "mail",
      deliveryId,
      keyId: null,
      recipients: [email],
      status: "bounced",
      mustSuppress: true,
      detail: null,
    });
    await setAlertEmail(service, key.id, email);
    runs.setTime(addDays(monday, 7), "07:00");
    expect(await planDigests(service, "email")).toEqual([]);
  });

  it("keeps a digest's text for a day, and nothing once its snapshots or its key are deleted", async () => {
    const [purged, deleted] = [await createReader(), await createReader()];
    await fire();
    const retention = { snapshotDays: 30, alertDays: null };
    const listDigests = (key: TestKey) => service.db.select().from(digests).where(eq(digests.keyId, key.id));
    expect((await findDelivery(purged.key))?.mail?.text).toContain("Top movers");
    await deleteKey(service, deleted.key.id);
    expect(await listDigests(deleted.key)).toEqual([]);
    expect(await service.db.select().from(digestKeys).where(eq(digestKeys.keyId, deleted.key.id))).toEqual([]);
    service.clock.advance(2 * DAY);
    await purgeExpired(service, { ...retention, snapshotDays: 1 });
    expect(await findDelivery(purged.key)).toMatchObject({ mail: null, status: "sent" });
    runs.setTime(addDays(monday, 30), "05:00");
    await purgeExpired(service, retention);
    expect(await findDelivery(purged.key)).toBeUndefined();
    expect(await listDigests(purged.key)).toEqual([]);
  });
});
