import postgres from "postgres";
import { openScratchDatabase } from "@/core/db/scratch";
import { createLog } from "@/core/log/log";
const log = createLog({ level: "info" , to: "stderr"});
const one = await openScratchDatabase("/tmp/st/data", log);
const a = postgres(one.url, { max: 1, onnotice: () => {} });
const N=99000;
await a`insert into channels (id, name, status, subscribers, read_at, score, score_basis, score_version)
  select 'UC' || lpad(n::text, 22, '0'), 'Channel', 'active', 1000, now(), 0, 'history', 1 from generate_series(1, ${N / 30}::int) n`;
await a`create temp table snap as 
  select id as channel_id, (current_date - back)::date as day, now() as read_at, 'daily' as source, 1000::bigint as subscribers, null::bigint as views, null::int as videos, 0::smallint as score, 1::smallint as score_version, '{"momentum": 0.123456, "base": 1.5, "other": 12.25}'::jsonb as score_parts from channels, generate_series(1, 30) back`;
const cpu = async (name: string, work: () => Promise<unknown>) => { const t = performance.now(); await work(); console.log(name, Math.round(performance.now() - t)); };
await cpu("plain insert", () => a`insert into snapshots select * from snap`);
await a`create temp table staged (source text, content json)`;
await cpu("json out", () => a`create temp table lines as select json_build_array('snapshots', t)::text as line from snapshots t`);
await cpu("staging", () => a`insert into staged select line::json->>0, line::json->1 from lines`);
await a`truncate snapshots`;
await cpu("populate only", () => a`select count(f.day) from staged, json_populate_record(null::snapshots, staged.content) f where staged.source='snapshots'`);
await cpu("populate jsonb", () => a`select count(f.day) from staged, jsonb_populate_record(null::snapshots, staged.content::jsonb) f where staged.source='snapshots'`);
await cpu("populate+insert", () => a`insert into snapshots select f.* from staged, json_populate_record(null::snapshots, staged.content) f where staged.source='snapshots'`);
console.log(await a`explain analyze select count(f.day) from staged, json_populate_record(null::snapshots, staged.content) f where staged.source='snapshots'`);
await a.end(); await one.close();
