import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { getTableName, is, sql } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { afterAll, describe, expect, it } from "vitest";
import { createOutbox } from "@/core/mail/outbox";
import * as schema from "@/db/schema";
import { trackCreator } from "@/features/creators/service";
import { createShare } from "@/features/creators/shares.service";
import { DiscoverQuery } from "@/features/discovery/schema";
import { discover } from "@/features/discovery/service";
import { saveNote, saveView } from "@/features/lists/service";
import { sendTestMail, setAlertEmail } from "@/features/notifications/addresses.service";
import { suppress } from "@/features/notifications/suppressions.service";
import { beginSession } from "@/features/sessions/service";
import { createChannelId, createFakePlatform, type FakePlatform } from "@/test/platform";
import { send } from "@/test/request";
import { createKey, useService } from "@/test/service";
import { issueLink, mailLink, redeemLink, requestKey } from "./requests.service";
import { rotateKey } from "./rotation.service";
import { eraseKey } from "./service";

describe("deletion of a key", async () => {
  const outbox = await mkdtemp(path.join(tmpdir(), "creator-growth-deletion-"));
  afterAll(() => rm(outbox, { recursive: true, force: true }));

  let platform: FakePlatform;
  const service = useService({
    mailer: () => createOutbox(outbox),
    platform: (clock) => {
      platform = createFakePlatform(clock);
      return platform;
    },
  });

  const NAME = "Maya Okafor";
  const ADDRESS = "maya@agency.example";
  const CREATOR = createChannelId(1);

  /** Every row of every table and every file of the outbox, as text. */
  async function listKept(): Promise<{ source: string; text: string }[]> {
    const tables = Object.values(schema).filter((value) => is(value, PgTable));
    const rows = tables.map(async (table) => {
      const name = sql.identifier(getTableName(table));
      const found = await service.db.execute<{ text: string }>(sql`select ${name}::text as text from ${name}`);
      return found.map(({ text }) => ({ source: getTableName(table), text }));
    });
    const files = (await readdir(outbox)).map(async (file) => ({
      source: file,
      text: await readFile(path.join(outbox, file), "utf8"),
    }));
    return (await Promise.all([...rows, Promise.all(files)])).flat();
  }

  /** A key with everything that the service can keep about it. */
  async function fillKey(): Promise<string> {
    const request = { name: NAME, email: ADDRESS, tier: "pro", purpose: `Scouting for ${NAME}` } as const;
    const requestId = await requestKey({ ...service, operatorEmail: "op@growth.test" }, request, "192.0.2.1");
    const link = await issueLink(service, requestId);
    await mailLink(service, link);
    const issued = await redeemLink(service, link.url.slice(link.url.lastIndexOf("/") + 1));
    if (!issued) throw new Error("the link made no key");
    const key = issued.record;
    await setAlertEmail(service, key.id, `old-${ADDRESS}`);
    await suppress(service, key.id, `old-${ADDRESS}`, "unsubscribed");
    await setAlertEmail(service, key.id, ADDRESS);
    await sendTestMail(service, key.id);
    platform.show(CREATOR, "2026-03-10", 1000);
    await trackCreator(service, key.id, { kind: "id", id: CREATOR });
    await service.requestRun();
    await service.drain();
    platform.show(CREATOR, "2026-03-11", 1500);
    service.clock.set("2026-03-11T06:00:00Z");
    await service.requestRun();
    await service.drain();
    await saveNote(service, key.id, CREATOR, `${NAME} asks again`);
    await saveView(service, key.id, NAME, "level=RISING");
    await createShare({ ...service, mayPublish: true }, key.id, { channel_id: CREATOR, days: 7 });
    await beginSession(service, key.id);
    await discover(service, key, DiscoverQuery.parse({ niche: "gaming" }));
    const { secret } = await rotateKey(service, key.id, 60_000);
    await send("/api/usage", { key: secret });
    await service.requests.flush();
    return key.id;
  }

  it("deletes every row and every mail about a key, and nothing of another", async () => {
    const other = await createKey(service);
    await setAlertEmail(service, other.id, "other@scouts.example");
    await sendTestMail(service, other.id);
    const id = await fillKey();
    const isAbout = ({ text }: { text: string }) => [id, NAME, ADDRESS].some((mark) => text.includes(mark));
    const isOther = ({ text }: { text: string }) => text.includes(other.id) || text.includes("other@scouts.example");
    const before = await listKept();
    const tables = new Set(before.filter(isAbout).map(({ source }) => source));
    for (const table of [
      "key_requests",
      "alerts",
      "changes",
      "request_log",
      "shares",
      "console_sessions",
      "suppressions",
    ])
      expect(tables).toContain(table);
    expect([...tables].filter((source) => source.endsWith(".json")).length).toBeGreaterThanOrEqual(4);

    await eraseKey(service, id);

    const after = await listKept();
    expect(after.filter(isAbout)).toEqual([]);
    expect(after.filter(isOther)).toEqual(before.filter(isOther));
  });
});
