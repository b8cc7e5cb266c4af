import type { CoreContext } from "@/core/context";
import { createPostgresQuota, type Quota, type QuotaGrant } from "@/core/quota/quota";
import type { UsageWriter } from "@/core/quota/usage-writer";
import { utcDay } from "@/core/time";

/** The quota by what PostgreSQL has been told of another counter's grants and what it could not be told yet. */
export function createStoredQuota(
  writer: UsageWriter,
  { db, clock }: Pick<CoreContext, "db" | "clock">,
): Pick<Quota, "take" | "used"> {
  const stored = createPostgresQuota(db, clock);

  const read = (keyId: string) => writer.read(keyId, utcDay(clock.now()));

  async function used(keyId: string): Promise<number> {
    await writer.flush();
    const { written, lacking } = await read(keyId);
    return written + lacking;
  }

  async function take(keyId: string, limit: number, isSecond = false): Promise<QuotaGrant> {
    await writer.flush();
    if (writer.unwritten(keyId, utcDay(clock.now())) === 0) return stored.take(keyId, limit);
    const { lacking } = await read(keyId);
    // What is written from here on is counted twice: rather one too few than one too many, and asked again once.
    const grant = lacking < limit ? await stored.take(keyId, limit - lacking) : null;
    if (grant?.granted) return { granted: true, used: grant.used + lacking };
    const total = await used(keyId);
    return total < limit && !isSecond ? take(keyId, limit, true) : { granted: false, used: total };
  }

  return { take: (keyId, limit) => take(keyId, limit), used };
}
