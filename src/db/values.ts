/** The values that columns allow, shared with the contracts. Apart from the tables, so that pages do not load drizzle. */

/** Cheapest first. */
export const TIERS = ["free", "starter", "pro"] as const;
export type Tier = (typeof TIERS)[number];

/** Strongest first. */
export const SEVERITIES = ["EXPLOSIVE", "SURGING", "RISING FAST", "WATCH"] as const;
export const ALERT_LABELS = ["sustained", "single_day", "recovery", "too_early"] as const;
/** What an alert's rise likely came from, and the states in which that is not known. */
export const CAUSE_KINDS = ["video", "several", "no_new_video", "unknown", "pending"] as const;
export const CAUSE_PROBLEMS = ["no_answer", "out_of_units", "no_videos_known", "too_late"] as const;
/** The states of a stream or premiere. */
export const BROADCASTS = ["upcoming", "live", "ended"] as const;
export const OUTCOMES = ["held", "faded", "unclear"] as const;
export const DESTINATIONS = ["email", "monitoring"] as const;
export type DestinationName = (typeof DESTINATIONS)[number];
export const DELIVERY_STATUSES = ["pending", "sending", "sent", "failed", "skipped", "unknown"] as const;
export const CHANGE_KINDS = [
  "alert_created",
  "outcome_7d",
  "outcome_28d",
  "tracked",
  "untracked",
  "unavailable",
  "available",
  "renamed",
] as const;
export const CHANNEL_STATUSES = ["active", "unavailable"] as const;
export const SCORE_BASES = ["history", "profile"] as const;
export const SNAPSHOT_SOURCES = ["daily", "track"] as const;
export const SUPPRESSION_REASONS = ["unsubscribed", "bounced", "complained"] as const;
export const BATCH_STATUSES = ["pending", "done", "failed"] as const;

/** What is noted in a key's log, and who did it. */
export const AUDIT_ACTIONS = [
  "issued",
  "tier_set",
  "rotated",
  "revoked",
  "signed_in",
  "sessions_ended",
  "rotation_requested",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];
export const AUDIT_ACTORS = ["owner", "operator"] as const;

/** The searches of the service, by what they are for. */
export const SEARCH_PURPOSES = ["first", "renewal", "map"] as const;
/** The platform has one allowance for searches and one for all other calls. */
export const UNIT_BUCKETS = ["search", "general"] as const;
/** What is allowed a number of times a day. Requests of the API are counted apart, in `daily_usage`. */
export const ALLOWANCE_KINDS = [
  "new_niche",
  "lookup",
  "test_email",
  "key_request",
  "rotation_request",
  ...SEARCH_PURPOSES.map((purpose) => `${purpose}_search` as const),
  ...UNIT_BUCKETS.map((bucket) => `${bucket}_units` as const),
  "video_units",
] as const;
export type AllowanceKind = (typeof ALLOWANCE_KINDS)[number];

/** Chances that the service's own record corrects. */
export const CORRECTED = ["chance_7d", "chance_28d", "held_chance"] as const;
