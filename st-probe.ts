import { rm } from "node:fs/promises";
import postgres from "postgres";
import { openScratchDatabase } from "@/core/db/scratch";
import { createLog } from "@/core/log/log";
import { writeBackup } from "@/core/db/backup/write";
import { restoreBackup } from "@/core/db/backup/restore";
import { systemClock } from "@/core/time";
const dir = process.argv[2] ?? "/tmp/st/data";
const N = Number(process.argv[3] ?? 300000);
const log = createLog({ level: "info" , to: "stderr"});
const one = await openScratchDatabase(dir, log);
const two = await openScratchDatabase(dir, log);
const a = postgres(one.url, { max: 1, onnotice: () => {} });
await a`insert into channels (id, name, status, subscribers, read_at, score, score_basis, score_version)
  select 'UC' || lpad(n::text, 22, '0'), 'Channel', 'active', 1000, now(), 0, 'history', 1 from generate_series(1, ${N / 30}::int) n`;
await a`insert into snapshots (channel_id, day, read_at, source, subscribers, score, score_version, score_parts)
  select id, current_date - back, now(), 'daily', 1000, 0, 1, '{"momentum": 0.123456, "base": 1.5, "other": 12.25}' from channels, generate_series(1, 30) back`;
let t = performance.now();
console.log(await writeBackup(one.url, "/tmp/st/big.backup"), "backup ms", performance.now() - t, process.memoryUsage().rss / 1e6);
t = performance.now();
console.log(await restoreBackup(two.url, "/tmp/st/big.backup", systemClock), "restore ms", performance.now() - t, process.memoryUsage().rss / 1e6);
// lost in the middle
for (const [what, work] of [["backup", () => writeBackup(one.url, "/tmp/st/lost.backup")]] as const) {
  const running = work().then(() => "done", (e) => `rejected: ${e.message}`);
  await new Promise((r) => setTimeout(r, 300));
  const k = await a`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database() and backend_type = 'client backend' and query like '%json_build_array%'`;
  console.log(what, "terminated", k.length, await Promise.race([running, new Promise((r) => setTimeout(() => r("HUNG"), 15000))]));
}
await rm("/tmp/st/big.backup"); await rm("/tmp/st/lost.backup", { force: true });
await a.end(); await two.close(); await one.close();
