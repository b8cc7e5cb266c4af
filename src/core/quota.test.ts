import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { dailyUsage } from "@/core/db/schema";
import { deleteKey } from "@/features/keys/service";
import { createKey, useService } from "@/test/service";

describe("daily quota", () => {
  const service = useService();

  it("grants exactly 50 of 200 parallel requests on a limit of 50, and counts exactly these", async () => {
    const { id } = await createKey(service);
    const answers = await Promise.all(Array.from({ length: 200 }, () => service.quota.take(id, 50)));
    const granted = answers.filter((answer) => answer.granted).map(({ used }) => used);
    expect(granted.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(answers.filter((answer) => !answer.granted).every(({ used }) => used === 50)).toBe(true);
    const rows = await service.db.select().from(dailyUsage).where(eq(dailyUsage.keyId, id));
    expect(rows).toMatchObject([{ requests: 50 }]);
  });

  it("begins anew at midnight UTC, to the millisecond", async () => {
    const { id } = await createKey(service);
    service.clock.set("2026-03-11T23:59:59.999Z");
    expect(await service.quota.take(id, 1)).toEqual({ granted: true, used: 1 });
    expect(await service.quota.take(id, 1)).toEqual({ granted: false, used: 1 });
    service.clock.set("2026-03-12T00:00:00.000Z");
    expect(await service.quota.take(id, 1)).toEqual({ granted: true, used: 1 });
  });

  it("keeps the day's count over a change of the limit, up and down", async () => {
    const { id } = await createKey(service);
    for (let call = 0; call < 8; call++) await service.quota.take(id, 5);
    expect(await service.quota.take(id, 10)).toEqual({ granted: true, used: 6 });
    expect(await service.quota.take(id, 5)).toEqual({ granted: false, used: 6 });
  });

  it("refuses a key that was deleted after it had been let in", async () => {
    const { id } = await createKey(service);
    await deleteKey(service, id);
    await expect(service.quota.take(id, 5)).rejects.toMatchObject({ code: "unauthorized" });
  });
});
