import { createLog } from "@/core/log/log";
import { systemClock } from "@/core/time";
import { connect } from "@/db/client";
import { UpstashQuota } from "@/features/usage/upstash.service";

/**
 * A server process that counts requests in Redis. It reports that it is ready, makes all its requests at once on a
 * message, and reports how many were granted. Run as
 * `quota-user <database> <redis> <token> <key id> <limit> <requests>` with an IPC channel.
 */
const [database = "", url = "", token = "", keyId = "", limit, requests] = process.argv.slice(2);
process.once("disconnect", () => process.exit(1));
const { db, close } = connect(database);
const ctx = { db, clock: systemClock, log: createLog({ level: "silent" }) };
const quota = new UpstashQuota({ url, token, timeoutMs: 20_000 }, ctx);
process.once("message", async () => {
  const answers = await Promise.all(Array.from({ length: Number(requests) }, () => quota.take(keyId, Number(limit))));
  await quota.flush();
  await close();
  process.send?.(answers.filter(({ granted }) => granted).length, () => process.exit(0));
});
process.send?.("ready");
