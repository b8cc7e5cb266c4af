import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, inject, it, vi } from "vitest";
import { MINUTE } from "@/core/time";
import { type Front, openFront } from "@/test/front";
import { connect, type DatabaseConnection, isDatabaseUnavailable } from "./client";

let front: Front;
let database: DatabaseConnection;

beforeEach(async () => {
  front = await openFront(inject("databaseUrl"));
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  database = connect(front.url);
});

afterEach(async () => {
  vi.useRealTimers();
  await database.close();
  await front.close();
});

const answer = async () => [...(await database.db.execute(sql`select 3 as answer`))];

it.each<[string, () => Promise<unknown>]>([
  ["statement", () => answer()],
  ["transaction", () => database.db.transaction((tx) => tx.execute(sql`select 1`))],
])("uses fresh connections a minute after the server vanished during a %s", async (_, ask) => {
  await answer();
  front.silence();
  const lost = ask().catch((error) => error);
  vi.advanceTimersByTime(MINUTE);
  expect(await answer()).toEqual([{ answer: 3 }]);
  const [row] = await database.db.execute<{ at: unknown }>(sql`select '2026-03-10'::date as at`);
  expect(row?.at).toBe("2026-03-10");
  await front.recover();
  expect(await lost).toSatisfy(isDatabaseUnavailable);
});

it("keeps the pool while statements are answered", async () => {
  await answer();
  vi.advanceTimersByTime(MINUTE);
  await answer();
  expect(front.connections).toBe(1);
});
