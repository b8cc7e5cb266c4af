import { systemClock } from "@/core/time";
import type { KeyRequest } from "@/features/keys/requests.schema";
import type { KeyRecord } from "@/features/keys/schema";
import { TIER_LIMITS } from "@/features/usage/tiers.rules";
import { minute, table } from "../table";

/** Its dates become ISO 8601 in JSON. */
export function asJson({ id, tier, label, hint, ...times }: KeyRecord) {
  return {
    ...{ id, tier, label, hint, requests_per_day: TIER_LIMITS[tier] },
    created_at: times.createdAt,
    rotated_at: times.rotatedAt,
    previous_key_works_until: isAhead(times.previousWorksUntil) ? times.previousWorksUntil : null,
    revoked_at: times.revokedAt,
    last_used_at: times.lastUsedAt,
  };
}

function stateOf({
  revokedAt,
  previousWorksUntil,
}: Pick<KeyRecord, "revokedAt" | "previousWorksUntil">): string {
  if (revokedAt) return `revoked ${minute(revokedAt)}`;
  return isAhead(previousWorksUntil) ? `active, old key until ${minute(previousWorksUntil)}` : "active";
}

export function isAhead(at: Date | null): at is Date {
  return at !== null && at > systemClock.now();
}

export function asTable(records: KeyRecord[]): string {
  return table(
    ["id", "label", "tier", "key", "state", "created (UTC)", "last used (UTC)"],
    records.map(({ id, label, tier, hint, createdAt, lastUsedAt, ...times }) => [
      ...[id, label, `${tier} (${TIER_LIMITS[tier]}/day)`, hint],
      stateOf(times),
      minute(createdAt),
      lastUsedAt ? minute(lastUsedAt) : "never",
    ]),
  );
}

export function requestsTable(requests: readonly KeyRequest[]): string {
  return table(
    ["id", "requested (UTC)", "name", "email", "plan", "link (UTC)", "what for"],
    requests.map(({ id, name, email, tier, requestedAt, linkExpiresAt, purpose }) => [
      ...[id, minute(requestedAt), name, email, tier],
      linkExpiresAt ? `until ${minute(linkExpiresAt)}` : "none",
      oneLine(purpose),
    ]),
  );
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
