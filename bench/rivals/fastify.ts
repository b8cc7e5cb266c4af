import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import postgres from "postgres";

/**
 * Two endpoints as a good engineer would write them by hand: Fastify, postgres.js, key and quota in one prepared
 * statement, responses byte for byte like the product's. It has no log and no validation, and shares no code with the
 * product.
 *
 * Run as: `tsx bench/rivals/fastify.ts <port> <connection string>`
 */
const LIMITS = { free: 50, starter: 500, pro: 2000 } as const;
const NEW_NICHES = { free: 2, starter: 5, pro: 10 } as const;
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const [port = "", url = ""] = process.argv.slice(2);
const sql = postgres(url, { max: 10, onnotice: () => {} });
const app = fastify();

interface Admitted {
  id: string;
  tier: keyof typeof LIMITS;
  used: number;
  granted: boolean;
}

const PROTECTION = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
};

async function admit(request: FastifyRequest, reply: FastifyReply): Promise<Admitted | null> {
  const key = request.headers["x-api-key"];
  const found = typeof key === "string" && isWellFormed(key) ? await count(key) : null;
  reply.header("X-Request-Id", `req_${randomBytes(12).toString("hex")}`);
  reply.header("Cache-Control", "private, no-store");
  reply.headers(PROTECTION);
  if (!found) {
    reply.code(401).send({ error: "Invalid API key" });
    return null;
  }
  const limit = LIMITS[found.tier];
  const remaining = Math.max(0, limit - found.used);
  const secondsLeft = Math.ceil((Date.UTC(...tomorrow()) - Date.now()) / 1000);
  reply.header("X-RateLimit-Limit", limit);
  reply.header("X-RateLimit-Remaining", remaining);
  reply.header("X-RateLimit-Tier", found.tier);
  reply.header("RateLimit-Policy", `"daily";q=${limit};w=86400`);
  reply.header("RateLimit", `"daily";r=${remaining};t=${secondsLeft}`);
  if (found.granted) return found;
  const { tier, used } = found;
  reply.code(429).send({ error: "Daily rate limit reached", tier, limit, used, resets_at: "midnight UTC" });
  return null;
}

async function count(key: string): Promise<Admitted | null> {
  const now = new Date();
  const hash = createHash("sha256").update(key).digest("hex");
  const [row] = await sql<Admitted[]>`
    with fast as materialized (select set_config('synchronous_commit', 'off', true)),
    key as (
      select id, tier, case tier when 'free' then 50 when 'starter' then 500 else 2000 end as allowed
      from fast, api_keys where secret_hash = ${hash} and revoked_at is null
    ), counted as (
      insert into daily_usage as usage (key_id, day, requests, last_request_at)
      select id, ${now.toISOString().slice(0, 10)}::date, 1, ${now} from key
      on conflict (key_id, day) do update
        set requests = usage.requests + 1, last_request_at = excluded.last_request_at
        where usage.requests < (select allowed from key)
      returning requests
    )
    select id, tier, coalesce((select requests from counted), allowed) as used,
      exists (select from counted) as granted
    from key`;
  return row ?? null;
}

app.get("/api/usage", async (request, reply) => {
  const key = await admit(request, reply);
  if (!key) return reply;
  const today = new Date().toISOString().slice(0, 10);
  const [totals] = await sql<{ creators: number; alerts: number; niches: number | null }[]>`
    select (select count(*)::int from tracked_creators where key_id = ${key.id}) as creators,
           (select count(*)::int from alerts where key_id = ${key.id}) as alerts,
           (select used from daily_allowances
             where scope = ${key.id} and kind = 'new_niche' and day = ${today}::date) as niches`;
  return {
    status: "ok",
    tier: key.tier,
    requests_today: key.used,
    requests_limit: LIMITS[key.tier],
    creators_tracked: totals?.creators,
    alerts_count: totals?.alerts,
    new_niches_today: totals?.niches ?? 0,
    new_niches_limit: NEW_NICHES[key.tier],
    tier_limits: LIMITS,
  };
});

interface Row {
  id: string;
  day: string;
  held_chance: number | null;
  baseline_frozen: boolean;
  channel_id: string;
  message: string;
  created_at: Date;
  subscribers_before: string;
  subscribers_after: string;
  severity: string;
  label: string | null;
  reason: string | null;
  cause: object | null;
  outcome_7d: string | null;
  outcome_28d: string | null;
}

app.get<{ Querystring: { offset?: string; limit?: string } }>("/api/alerts", async (request, reply) => {
  const key = await admit(request, reply);
  if (!key) return reply;
  const offset = Number(request.query.offset ?? 0);
  const limit = Number(request.query.limit ?? 20);
  const [[counted], rows] = await Promise.all([
    sql<{ total: number }[]>`select count(*)::int as total from alerts where key_id = ${key.id}`,
    sql<Row[]>`
      select id, day::text, held_chance, baseline_frozen, channel_id, message, created_at, subscribers_before, subscribers_after, severity, label, reason,
        outcome_7d, outcome_28d,
        (select jsonb_build_object('kind', kind, 'videos', videos, 'read_at', read_at) from alert_causes as cause
          where cause.channel_id = alerts.channel_id and cause.day = alerts.day) as cause
      from alerts where key_id = ${key.id} order by created_at desc, id desc limit ${limit} offset ${offset}`,
  ]);
  const total = counted?.total ?? 0;
  return {
    status: "ok",
    pagination: { total, offset, limit, has_more: offset + limit < total },
    alerts: rows.map(toAlert),
    next_after: null,
  };
});

const UNKNOWN_CAUSE = {
  kind: "unknown",
  text: "Cause unknown. The videos were not read in time.",
  read_at: null,
  videos: [],
};

function toAlert(row: Row) {
  const before = Number(row.subscribers_before);
  const after = Number(row.subscribers_after);
  const highest = before + countHidden(before);
  const low = Math.floor((1000 * (after - highest)) / highest) / 10;
  const high = Math.ceil((1000 * (after + countHidden(after) - before)) / before) / 10;
  return {
    id: row.id,
    day: row.day,
    channel_id: row.channel_id,
    alert_type: "HIGH_GROWTH",
    message: row.message,
    created_at: row.created_at.toISOString(),
    percent: computePercent(before, after),
    subscribers_before: before,
    subscribers_after: after,
    growth_low: low,
    growth_high: high,
    certain: !row.baseline_frozen && after * 10 > highest * 11,
    severity: row.severity,
    channel_url: `https://www.youtube.com/channel/${row.channel_id}`,
    label: row.label,
    reason: row.reason,
    cause: row.cause ?? UNKNOWN_CAUSE,
    held_chance: row.held_chance,
    outcome: row.outcome_28d && row.outcome_28d !== "unclear" ? row.outcome_28d : row.outcome_7d,
  };
}

/** Rounded half up, but not up to a bound that the counts do not reach. */
function computePercent(before: number, after: number): number {
  const tenths = Math.floor((2000 * (after - before) + before) / (2 * before));
  const isBelow = [100, 150, 250, 500].includes(tenths) && 1000 * (after - before) < tenths * before;
  return (isBelow ? tenths - 1 : tenths) / 10;
}

function countHidden(shown: number): number {
  return shown < 1000 ? 0 : 10 ** (String(shown).length - 3) - 1;
}

function isWellFormed(key: string): boolean {
  if (!/^cg_[0-9A-Za-z]{39}$/.test(key)) return false;
  let rest = crc32(key.slice(0, -6));
  let digits = "";
  for (; digits.length < 6; rest = Math.floor(rest / 62)) digits = DIGITS[rest % 62] + digits;
  return key.endsWith(digits);
}

function tomorrow(): [number, number, number] {
  const now = new Date();
  return [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1];
}

await app.listen({ port: Number(port), host: "127.0.0.1" });
process.once("SIGTERM", () => process.exit(0));
