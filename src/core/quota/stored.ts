import type { CoreContext } from "@/core/context";
import { createPostgresQuota, type Quota } from "@/core/quota";
import type { UsageWriter } from "@/core/quota/usage-writer";
import { utcDay } from "@/core/time";

/**
 * The quota by what PostgreSQL has been told of another counter's grants and what it could not be told yet: where a
 * write is in doubt it counts too many rather than too few.
 */
export function createStoredQuota(
  writer: UsageWriter,
  { db, clock }: Pick<CoreContext, "db" | "clock">,
): Pick<Quota, "take" | "used"> {
  const stored = createPostgresQuota(db, clock);
  const unwritten = (keyId: string) => writer.unwritten(keyId, utcDay(clock.now()));

  async function used(keyId: string): Promise<number> {
    await writer.flush();
    for (;;) {
      const { writes } = writer;
      const total = unwritten(keyId) + (await stored.used(keyId));
      // Else a write came between, and may be in both.
      if (writer.writes === writes) return total;
    }
  }

  return {
    async take(keyId, limit) {
      await writer.flush();
      const granted = unwritten(keyId);
      if (granted >= limit) return { granted: false, used: await used(keyId) };
      const grant = await stored.take(keyId, limit - granted);
      return { ...grant, used: grant.used + granted };
    },
    used,
  };
}
