import { systemClock } from "@/core/time";
import type { Tier } from "@/db/values";
import type { AuditEntry } from "@/features/keys/audit.service";
import type { KeyRequest } from "@/features/keys/requests.service";
import type { KeyRecord } from "@/features/keys/service";
import { TIER_RULES } from "@/features/usage/tiers.rules";
import { formatMinute, formatTable } from "../table";

/** Its dates become ISO 8601 in JSON. */
export function toJson({ id, tier, label, hint, ...times }: KeyRecord) {
  return {
    id,
    tier,
    label,
    hint,
    requests_per_day: TIER_RULES[tier].requestsPerDay,
    created_at: times.createdAt,
    rotated_at: times.rotatedAt,
    previous_key_works_until: isAhead(times.previousWorksUntil) ? times.previousWorksUntil : null,
    revoked_at: times.revokedAt,
    last_used_at: times.lastUsedAt,
  };
}

function formatState({ revokedAt, previousWorksUntil }: Pick<KeyRecord, "revokedAt" | "previousWorksUntil">): string {
  if (revokedAt) return `revoked ${formatMinute(revokedAt)}`;
  return isAhead(previousWorksUntil) ? `active, old key until ${formatMinute(previousWorksUntil)}` : "active";
}

export function isAhead(at: Date | null): at is Date {
  return at !== null && at > systemClock.now();
}

/** A tier with its quota: `pro (2000/day)`. */
export function formatTier(tier: Tier): string {
  return `${tier} (${TIER_RULES[tier].requestsPerDay}/day)`;
}

export function formatKeyTable(records: KeyRecord[]): string {
  return formatTable(
    ["id", "label", "tier", "key", "state", "created (UTC)", "last used (UTC)"],
    records.map(({ id, label, tier, hint, createdAt, lastUsedAt, ...times }) => {
      const lastUsed = lastUsedAt ? formatMinute(lastUsedAt) : "never";
      return [id, label, formatTier(tier), hint, formatState(times), formatMinute(createdAt), lastUsed];
    }),
  );
}

export function formatLogTable(entries: readonly AuditEntry[]): string {
  return formatTable(
    ["time (UTC)", "action", "by", "from", "outcome"],
    entries.map(({ at, action, actor, source, outcome }) => [formatMinute(at), action, actor, source, outcome]),
  );
}

export function formatRequestTable(requests: readonly KeyRequest[]): string {
  return formatTable(
    ["id", "requested (UTC)", "name", "email", "plan", "link (UTC)", "what for"],
    requests.map(({ id, name, email, tier, requestedAt, linkExpiresAt, purpose }) => {
      const link = linkExpiresAt ? `until ${formatMinute(linkExpiresAt)}` : "none";
      return [id, formatMinute(requestedAt), name, email, tier, link, toOneLine(purpose)];
    }),
  );
}

function toOneLine(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
