CREATE TABLE "alerts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"key_id" text NOT NULL,
	"channel_id" text NOT NULL,
	"day" date NOT NULL,
	"subscribers_before" bigint NOT NULL,
	"subscribers_after" bigint NOT NULL,
	"severity" text NOT NULL,
	"message" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"read_at" timestamp (3) with time zone,
	"label" text,
	"reason" text,
	"held_chance" double precision,
	"fitted_held_chance" double precision,
	"baseline_frozen" boolean DEFAULT false NOT NULL,
	"outcome_7d" text,
	"outcome_7d_at" timestamp (3) with time zone,
	"outcome_28d" text,
	"outcome_28d_at" timestamp (3) with time zone,
	CONSTRAINT "alerts_once_per_key_channel_day" UNIQUE("key_id","channel_id","day"),
	CONSTRAINT "alerts_growth_above_ten_percent" CHECK ("alerts"."subscribers_before" > 0 and "alerts"."subscribers_after" * 10 > "alerts"."subscribers_before" * 11),
	CONSTRAINT "alerts_severity_is_known" CHECK ("alerts"."severity" in ('EXPLOSIVE', 'SURGING', 'RISING FAST', 'WATCH')),
	CONSTRAINT "alerts_label_is_known" CHECK ("alerts"."label" in ('sustained', 'single_day', 'recovery', 'too_early')),
	CONSTRAINT "alerts_label_has_reason" CHECK (("alerts"."label" is null) = ("alerts"."reason" is null)),
	CONSTRAINT "alerts_held_chance_range" CHECK ("alerts"."held_chance" between 0 and 1),
	CONSTRAINT "alerts_outcome_7d_is_known" CHECK ("alerts"."outcome_7d" in ('held', 'faded', 'unclear')),
	CONSTRAINT "alerts_outcome_28d_is_known" CHECK ("alerts"."outcome_28d" in ('held', 'faded', 'unclear')),
	CONSTRAINT "alerts_outcome_has_instant" CHECK (("alerts"."outcome_7d" is null) = ("alerts"."outcome_7d_at" is null) and ("alerts"."outcome_28d" is null) = ("alerts"."outcome_28d_at" is null))
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"alert_id" uuid,
	"digest_id" uuid,
	"destination" text NOT NULL,
	"recipient" text,
	"mail" jsonb,
	"status" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"tried_at" timestamp (3) with time zone,
	"outcome_unknown_since" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"attempts" integer NOT NULL,
	"problem" text,
	"message_id" text,
	"receipt" text,
	"receipt_at" timestamp (3) with time zone,
	"receipt_detail" text,
	CONSTRAINT "deliveries_once_per_alert_destination" UNIQUE("alert_id","destination"),
	CONSTRAINT "deliveries_once_per_digest" UNIQUE("digest_id"),
	CONSTRAINT "deliveries_of_alert_or_digest" CHECK (num_nonnulls("deliveries"."alert_id", "deliveries"."digest_id") = 1),
	CONSTRAINT "deliveries_destination_is_known" CHECK ("deliveries"."destination" in ('email', 'monitoring')),
	CONSTRAINT "deliveries_status_is_known" CHECK ("deliveries"."status" in ('pending', 'sending', 'sent', 'failed', 'skipped', 'unknown')),
	CONSTRAINT "deliveries_receipt_is_known" CHECK ("deliveries"."receipt" in ('delayed', 'delivered', 'failed', 'bounced', 'complained')),
	CONSTRAINT "deliveries_email_has_recipient" CHECK (("deliveries"."destination" = 'email') = ("deliveries"."recipient" is not null))
);
--> statement-breakpoint
CREATE TABLE "mail_events" (
	"id" text PRIMARY KEY NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "muted_creators" (
	"key_id" text NOT NULL,
	"channel_id" text NOT NULL,
	"muted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "muted_creators_key_id_channel_id_pk" PRIMARY KEY("key_id","channel_id")
);
--> statement-breakpoint
CREATE TABLE "changes" (
	"key_id" text NOT NULL,
	"position" bigint NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"channel_id" text NOT NULL,
	"name" text,
	"alert_id" uuid,
	CONSTRAINT "changes_key_id_position_pk" PRIMARY KEY("key_id","position"),
	CONSTRAINT "changes_once_per_alert" UNIQUE("alert_id","kind"),
	CONSTRAINT "changes_kind_is_known" CHECK ("changes"."kind" in ('alert_created', 'outcome_7d', 'outcome_28d', 'tracked', 'untracked', 'unavailable', 'available', 'renamed')),
	CONSTRAINT "changes_name_of_renamed" CHECK (("changes"."name" is not null) = ("changes"."kind" = 'renamed')),
	CONSTRAINT "changes_alert_of_alerts" CHECK (("changes"."alert_id" is not null) = ("changes"."kind" in ('alert_created', 'outcome_7d', 'outcome_28d')))
);
--> statement-breakpoint
CREATE TABLE "key_positions" (
	"key_id" text PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL,
	"purged" bigint NOT NULL,
	CONSTRAINT "key_positions_in_order" CHECK (0 <= "key_positions"."purged" and "key_positions"."purged" <= "key_positions"."position")
);
--> statement-breakpoint
CREATE TABLE "channels" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"handle" text,
	"thumbnail_url" text,
	"country" text,
	"status" text NOT NULL,
	"subscribers" bigint,
	"views" bigint,
	"videos" integer,
	"read_at" timestamp (3) with time zone,
	"score" smallint,
	"score_basis" text NOT NULL,
	"score_version" smallint NOT NULL,
	"chance_7d" double precision,
	"chance_28d" double precision,
	"expected_7d" jsonb,
	"expected_28d" jsonb,
	"reason" text,
	"growth_1d_percent" double precision,
	"growth_7d_percent" double precision,
	"growth_28d_percent" double precision,
	"percentile" double precision,
	"last_snapshot_at" timestamp (3) with time zone,
	"videos_tried_at" timestamp (3) with time zone,
	CONSTRAINT "channels_id_form" CHECK ("channels"."id" ~ '^UC[A-Za-z0-9_-]{22}$'),
	CONSTRAINT "channels_status_is_known" CHECK ("channels"."status" in ('active', 'unavailable')),
	CONSTRAINT "channels_score_range" CHECK ("channels"."score" between 0 and 100),
	CONSTRAINT "channels_score_needs_count" CHECK (("channels"."score" is null) = ("channels"."subscribers" is null)),
	CONSTRAINT "channels_score_basis_is_known" CHECK ("channels"."score_basis" in ('history', 'profile')),
	CONSTRAINT "channels_chances_range" CHECK ("channels"."chance_7d" between 0 and 1 and "channels"."chance_28d" between 0 and 1),
	CONSTRAINT "channels_percentile_range" CHECK ("channels"."percentile" between 0 and 100)
);
--> statement-breakpoint
CREATE TABLE "snapshots" (
	"channel_id" text NOT NULL,
	"day" date NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL,
	"source" text NOT NULL,
	"subscribers" bigint,
	"views" bigint,
	"videos" integer,
	"score" smallint,
	"score_version" smallint NOT NULL,
	"chance_7d" double precision,
	"chance_28d" double precision,
	"expected_7d" jsonb,
	"expected_28d" jsonb,
	"score_parts" jsonb NOT NULL,
	"uploads_7d" smallint,
	"upload_views_7d" bigint,
	CONSTRAINT "snapshots_channel_id_day_pk" PRIMARY KEY("channel_id","day"),
	CONSTRAINT "snapshots_source_is_known" CHECK ("snapshots"."source" in ('daily', 'track')),
	CONSTRAINT "snapshots_counts_not_negative" CHECK (least("snapshots"."subscribers", "snapshots"."views", "snapshots"."videos") >= 0),
	CONSTRAINT "snapshots_score_range" CHECK ("snapshots"."score" between 0 and 100)
);
--> statement-breakpoint
CREATE TABLE "tracked_creators" (
	"key_id" text NOT NULL,
	"channel_id" text NOT NULL,
	"tracked_since" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tracked_creators_key_id_channel_id_pk" PRIMARY KEY("key_id","channel_id")
);
--> statement-breakpoint
CREATE TABLE "digest_keys" (
	"key_id" text PRIMARY KEY NOT NULL,
	"since" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "digests" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"key_id" text NOT NULL,
	"week" date NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "digests_once_per_key_week" UNIQUE("key_id","week")
);
--> statement-breakpoint
CREATE TABLE "alert_emails" (
	"key_id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"set_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"secret_hash" text NOT NULL,
	"previous_secret_hash" text,
	"previous_works_until" timestamp (3) with time zone,
	"hint" text NOT NULL,
	"label" text NOT NULL,
	"tier" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"rotated_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "api_keys_secret_hash_unique" UNIQUE("secret_hash"),
	CONSTRAINT "api_keys_previous_secret_hash_unique" UNIQUE("previous_secret_hash"),
	CONSTRAINT "api_keys_secret_hash_is_sha256" CHECK ("api_keys"."secret_hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "api_keys_previous_secret_hash_is_sha256" CHECK ("api_keys"."previous_secret_hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "api_keys_previous_secret_has_an_end" CHECK (("api_keys"."previous_secret_hash" is null) = ("api_keys"."previous_works_until" is null)),
	CONSTRAINT "api_keys_tier_is_known" CHECK ("api_keys"."tier" in ('free', 'starter', 'pro')),
	CONSTRAINT "api_keys_label_length" CHECK (char_length("api_keys"."label") between 1 and 100)
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"key_id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"action" text NOT NULL,
	"actor" text NOT NULL,
	"source" text NOT NULL,
	"outcome" text NOT NULL,
	CONSTRAINT "audit_log_action_is_known" CHECK ("audit_log"."action" in ('issued', 'tier_set', 'rotated', 'revoked', 'signed_in', 'sessions_ended', 'rotation_requested')),
	CONSTRAINT "audit_log_actor_is_known" CHECK ("audit_log"."actor" in ('owner', 'operator'))
);
--> statement-breakpoint
CREATE TABLE "console_sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"key_id" text NOT NULL,
	"begun_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "daily_allowances" (
	"scope" text NOT NULL,
	"kind" text NOT NULL,
	"day" date NOT NULL,
	"used" integer NOT NULL,
	"exhausted_until" timestamp (3) with time zone,
	"key_id" text,
	CONSTRAINT "daily_allowances_scope_kind_day_pk" PRIMARY KEY("scope","kind","day"),
	CONSTRAINT "daily_allowances_kind_is_known" CHECK ("daily_allowances"."kind" in ('new_niche', 'lookup', 'test_email', 'key_request', 'rotation_request', 'first_search', 'renewal_search', 'map_search', 'search_units', 'general_units', 'video_units')),
	CONSTRAINT "daily_allowances_not_negative" CHECK ("daily_allowances"."used" >= 0),
	CONSTRAINT "daily_allowances_key_is_scope" CHECK ("daily_allowances"."key_id" = "daily_allowances"."scope")
);
--> statement-breakpoint
CREATE TABLE "daily_usage" (
	"key_id" text NOT NULL,
	"day" date NOT NULL,
	"requests" integer NOT NULL,
	"last_request_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "daily_usage_key_id_day_pk" PRIMARY KEY("key_id","day"),
	CONSTRAINT "daily_usage_requests_positive" CHECK ("daily_usage"."requests" > 0)
);
--> statement-breakpoint
CREATE TABLE "failed_sign_ins" (
	"address" text PRIMARY KEY NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"failures" integer NOT NULL,
	CONSTRAINT "failed_sign_ins_failures_positive" CHECK ("failed_sign_ins"."failures" > 0)
);
--> statement-breakpoint
CREATE TABLE "redis_outages" (
	"until" timestamp (3) with time zone PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "request_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "request_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"key_id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"request_id" text NOT NULL,
	"method" text NOT NULL,
	"endpoint" text NOT NULL,
	"path" text NOT NULL,
	"query" text NOT NULL,
	"status" smallint NOT NULL,
	"milliseconds" real NOT NULL,
	CONSTRAINT "request_log_texts_are_bounded" CHECK (char_length("request_log"."path" || "request_log"."query") <= 1000)
);
--> statement-breakpoint
CREATE TABLE "suppressions" (
	"key_id" text NOT NULL,
	"email" text NOT NULL,
	"reason" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"confirmation_sent_at" timestamp (3) with time zone,
	"is_confirmation_unknown" boolean DEFAULT false NOT NULL,
	CONSTRAINT "suppressions_key_id_email_pk" PRIMARY KEY("key_id","email"),
	CONSTRAINT "suppressions_email_is_lower_case" CHECK ("suppressions"."email" = lower("suppressions"."email" collate "C")),
	CONSTRAINT "suppressions_reason_is_known" CHECK ("suppressions"."reason" in ('unsubscribed', 'bounced', 'complained'))
);
--> statement-breakpoint
CREATE TABLE "creator_lists" (
	"key_id" text NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"folded_name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "creator_lists_key_id_id_pk" PRIMARY KEY("key_id","id"),
	CONSTRAINT "creator_lists_name" UNIQUE("key_id","folded_name"),
	CONSTRAINT "creator_lists_name_length" CHECK (char_length("creator_lists"."name") between 1 and 40)
);
--> statement-breakpoint
CREATE TABLE "creator_notes" (
	"key_id" text NOT NULL,
	"channel_id" text NOT NULL,
	"note" text NOT NULL,
	"saved_at" timestamp (3) with time zone NOT NULL,
	"untracked_on" date,
	CONSTRAINT "creator_notes_key_id_channel_id_pk" PRIMARY KEY("key_id","channel_id"),
	CONSTRAINT "creator_notes_length" CHECK (char_length("creator_notes"."note") between 1 and 2000)
);
--> statement-breakpoint
CREATE TABLE "list_creators" (
	"key_id" text NOT NULL,
	"list_id" uuid NOT NULL,
	"channel_id" text NOT NULL,
	"untracked_on" date,
	CONSTRAINT "list_creators_key_id_list_id_channel_id_pk" PRIMARY KEY("key_id","list_id","channel_id")
);
--> statement-breakpoint
CREATE TABLE "saved_views" (
	"key_id" text NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"folded_name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"query" text NOT NULL,
	CONSTRAINT "saved_views_key_id_id_pk" PRIMARY KEY("key_id","id"),
	CONSTRAINT "saved_views_name" UNIQUE("key_id","folded_name"),
	CONSTRAINT "saved_views_name_length" CHECK (char_length("saved_views"."name") between 1 and 40),
	CONSTRAINT "saved_views_query_length" CHECK (char_length("saved_views"."query") <= 1000)
);
--> statement-breakpoint
CREATE TABLE "niche_channels" (
	"niche" text NOT NULL,
	"channel_id" text NOT NULL,
	"found_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "niche_channels_niche_channel_id_pk" PRIMARY KEY("niche","channel_id")
);
--> statement-breakpoint
CREATE TABLE "niche_queue" (
	"key_id" text NOT NULL,
	"niche" text NOT NULL,
	"spelling" text NOT NULL,
	"queued_at" timestamp (3) with time zone NOT NULL,
	"turn" integer NOT NULL,
	"earliest_at" timestamp (3) with time zone,
	CONSTRAINT "niche_queue_key_id_niche_pk" PRIMARY KEY("key_id","niche")
);
--> statement-breakpoint
CREATE TABLE "niche_requests" (
	"niche" text NOT NULL,
	"key_id" text NOT NULL,
	"day" date NOT NULL,
	"spelling" text NOT NULL,
	CONSTRAINT "niche_requests_niche_key_id_day_spelling_pk" PRIMARY KEY("niche","key_id","day","spelling")
);
--> statement-breakpoint
CREATE TABLE "niches" (
	"niche" text PRIMARY KEY NOT NULL,
	"spelling" text NOT NULL,
	"refreshed_at" timestamp (3) with time zone,
	"claimed_until" timestamp (3) with time zone,
	"renewal_requested_at" timestamp (3) with time zone,
	"close_to" text,
	CONSTRAINT "niches_is_filled_or_claimed" CHECK (coalesce("niches"."refreshed_at", "niches"."claimed_until") is not null)
);
--> statement-breakpoint
CREATE TABLE "key_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"tier" text NOT NULL,
	"purpose" text NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"token_hash" text,
	"issued_label" text,
	"issued_tier" text,
	"link_expires_at" timestamp (3) with time zone,
	"used_at" timestamp (3) with time zone,
	"key_id" text,
	CONSTRAINT "key_requests_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "key_requests_tier_is_known" CHECK ("key_requests"."tier" in ('free', 'starter', 'pro')),
	CONSTRAINT "key_requests_issued_tier_is_known" CHECK ("key_requests"."issued_tier" in ('free', 'starter', 'pro')),
	CONSTRAINT "key_requests_name_length" CHECK (char_length("key_requests"."name") between 1 and 100),
	CONSTRAINT "key_requests_email_length" CHECK (char_length("key_requests"."email") between 3 and 254),
	CONSTRAINT "key_requests_purpose_length" CHECK (char_length("key_requests"."purpose") between 1 and 1000),
	CONSTRAINT "key_requests_token_hash_is_sha256" CHECK ("key_requests"."token_hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "key_requests_link_is_whole" CHECK (num_nulls("key_requests"."token_hash", "key_requests"."issued_label", "key_requests"."issued_tier", "key_requests"."link_expires_at") in (0, 4)),
	CONSTRAINT "key_requests_used_makes_key" CHECK (num_nulls("key_requests"."used_at", "key_requests"."key_id") in (0, 2))
);
--> statement-breakpoint
CREATE TABLE "backups" (
	"made_at" timestamp (3) with time zone PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chance_corrections" (
	"chance" text PRIMARY KEY NOT NULL,
	"intercept" double precision NOT NULL,
	"slope" double precision NOT NULL,
	"graded" integer NOT NULL,
	"fitted_on" date NOT NULL,
	CONSTRAINT "chance_corrections_chance_is_known" CHECK ("chance_corrections"."chance" in ('chance_7d', 'chance_28d', 'held_chance'))
);
--> statement-breakpoint
CREATE TABLE "run_notices" (
	"day" date PRIMARY KEY NOT NULL,
	"problem" text NOT NULL,
	"noted_at" timestamp (3) with time zone NOT NULL,
	"notified_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "score_grades" (
	"day" date PRIMARY KEY NOT NULL,
	"graded_at" timestamp (3) with time zone NOT NULL,
	"score_version" smallint NOT NULL,
	"channels" integer NOT NULL,
	"figures" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "snapshot_batches" (
	"day" date NOT NULL,
	"batch" integer NOT NULL,
	"channel_ids" text[] NOT NULL,
	"status" text NOT NULL,
	"recorded" integer DEFAULT 0 NOT NULL,
	"unavailable" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"alerts" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"touched_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "snapshot_batches_day_batch_pk" PRIMARY KEY("day","batch"),
	CONSTRAINT "snapshot_batches_status_is_known" CHECK ("snapshot_batches"."status" in ('pending', 'done', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "snapshot_runs" (
	"day" date PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"plans" integer NOT NULL,
	"planned_by" text,
	"heartbeat_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "sandbox_sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"key_id" text NOT NULL,
	"address" text NOT NULL,
	"start_day" date NOT NULL,
	"clock" timestamp (3) with time zone NOT NULL,
	"requests" integer NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shares" (
	"key_id" text NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"channel_id" text,
	"list_id" uuid,
	"token_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "shares_key_id_id_pk" PRIMARY KEY("key_id","id"),
	CONSTRAINT "shares_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "shares_creator_or_list" CHECK (("shares"."channel_id" is null) <> ("shares"."list_id" is null)),
	CONSTRAINT "shares_token_hash_is_sha256" CHECK ("shares"."token_hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "shares_expire_after_creation" CHECK ("shares"."expires_at" > "shares"."created_at")
);
--> statement-breakpoint
CREATE TABLE "alert_causes" (
	"channel_id" text NOT NULL,
	"day" date NOT NULL,
	"kind" text NOT NULL,
	"problem" text,
	"videos" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"read_at" timestamp (3) with time zone,
	CONSTRAINT "alert_causes_channel_id_day_pk" PRIMARY KEY("channel_id","day"),
	CONSTRAINT "alert_causes_kind_is_known" CHECK ("alert_causes"."kind" in ('video', 'several', 'no_new_video', 'unknown', 'pending')),
	CONSTRAINT "alert_causes_problem_is_known" CHECK ("alert_causes"."problem" in ('no_answer', 'out_of_units', 'no_videos_known', 'too_late')),
	CONSTRAINT "alert_causes_unknown_has_problem" CHECK (("alert_causes"."kind" = 'unknown') = ("alert_causes"."problem" is not null))
);
--> statement-breakpoint
CREATE TABLE "videos" (
	"channel_id" text NOT NULL,
	"video_id" text NOT NULL,
	"title" text NOT NULL,
	"published_at" timestamp (3) with time zone NOT NULL,
	"views" bigint,
	"likes" bigint,
	"comments" bigint,
	"seconds" integer,
	"broadcast" text,
	"thumbnail_url" text,
	"read_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "videos_channel_id_video_id_pk" PRIMARY KEY("channel_id","video_id"),
	CONSTRAINT "videos_broadcast_is_known" CHECK ("videos"."broadcast" in ('upcoming', 'live', 'ended'))
);
--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_alert_id_alerts_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."alerts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_digest_id_digests_id_fk" FOREIGN KEY ("digest_id") REFERENCES "public"."digests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "muted_creators" ADD CONSTRAINT "muted_creators_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "muted_creators" ADD CONSTRAINT "muted_creators_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "changes" ADD CONSTRAINT "changes_key_id_key_positions_key_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."key_positions"("key_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "changes" ADD CONSTRAINT "changes_alert_id_alerts_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."alerts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_positions" ADD CONSTRAINT "key_positions_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "snapshots" ADD CONSTRAINT "snapshots_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracked_creators" ADD CONSTRAINT "tracked_creators_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracked_creators" ADD CONSTRAINT "tracked_creators_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "digest_keys" ADD CONSTRAINT "digest_keys_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "digests" ADD CONSTRAINT "digests_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_emails" ADD CONSTRAINT "alert_emails_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "console_sessions" ADD CONSTRAINT "console_sessions_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "daily_allowances" ADD CONSTRAINT "daily_allowances_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "daily_usage" ADD CONSTRAINT "daily_usage_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request_log" ADD CONSTRAINT "request_log_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suppressions" ADD CONSTRAINT "suppressions_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "creator_lists" ADD CONSTRAINT "creator_lists_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "creator_notes" ADD CONSTRAINT "creator_notes_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "creator_notes" ADD CONSTRAINT "creator_notes_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "list_creators" ADD CONSTRAINT "list_creators_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "list_creators" ADD CONSTRAINT "list_creators_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "list_creators" ADD CONSTRAINT "list_creators_list_fk" FOREIGN KEY ("key_id","list_id") REFERENCES "public"."creator_lists"("key_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "niche_channels" ADD CONSTRAINT "niche_channels_niche_niches_niche_fk" FOREIGN KEY ("niche") REFERENCES "public"."niches"("niche") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "niche_channels" ADD CONSTRAINT "niche_channels_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "niche_queue" ADD CONSTRAINT "niche_queue_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "niche_requests" ADD CONSTRAINT "niche_requests_niche_niches_niche_fk" FOREIGN KEY ("niche") REFERENCES "public"."niches"("niche") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "niche_requests" ADD CONSTRAINT "niche_requests_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "niches" ADD CONSTRAINT "niches_close_to_niches_niche_fk" FOREIGN KEY ("close_to") REFERENCES "public"."niches"("niche") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_requests" ADD CONSTRAINT "key_requests_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "snapshot_batches" ADD CONSTRAINT "snapshot_batches_day_snapshot_runs_day_fk" FOREIGN KEY ("day") REFERENCES "public"."snapshot_runs"("day") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_sessions" ADD CONSTRAINT "sandbox_sessions_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_tracked_fk" FOREIGN KEY ("key_id","channel_id") REFERENCES "public"."tracked_creators"("key_id","channel_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_list_fk" FOREIGN KEY ("key_id","list_id") REFERENCES "public"."creator_lists"("key_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_causes" ADD CONSTRAINT "alert_causes_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "videos" ADD CONSTRAINT "videos_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alerts_page" ON "alerts" USING btree ("key_id","created_at","id");--> statement-breakpoint
CREATE INDEX "alerts_unread" ON "alerts" USING btree ("key_id") WHERE "alerts"."read_at" is null;--> statement-breakpoint
CREATE INDEX "alerts_channel" ON "alerts" USING btree ("channel_id");--> statement-breakpoint
CREATE INDEX "alerts_day" ON "alerts" USING btree ("day","channel_id");--> statement-breakpoint
CREATE INDEX "alerts_ungraded" ON "alerts" USING btree ("day") WHERE "alerts"."outcome_7d" is null or "alerts"."outcome_28d" is null;--> statement-breakpoint
CREATE INDEX "deliveries_open" ON "deliveries" USING btree ("created_at") WHERE "deliveries"."status" in ('pending', 'sending');--> statement-breakpoint
CREATE INDEX "deliveries_mailed" ON "deliveries" USING btree ("finished_at") WHERE "deliveries"."mail" is not null;--> statement-breakpoint
CREATE INDEX "muted_creators_channel" ON "muted_creators" USING btree ("channel_id");--> statement-breakpoint
CREATE INDEX "changes_age" ON "changes" USING btree ("at");--> statement-breakpoint
CREATE INDEX "channels_handle" ON "channels" USING btree (lower("handle" collate "C"));--> statement-breakpoint
CREATE INDEX "tracked_creators_page" ON "tracked_creators" USING btree ("key_id","tracked_since","channel_id");--> statement-breakpoint
CREATE INDEX "tracked_creators_channel" ON "tracked_creators" USING btree ("channel_id");--> statement-breakpoint
CREATE INDEX "audit_log_page" ON "audit_log" USING btree ("key_id","at","id");--> statement-breakpoint
CREATE INDEX "console_sessions_of_key" ON "console_sessions" USING btree ("key_id","begun_at","id");--> statement-breakpoint
CREATE INDEX "daily_allowances_day" ON "daily_allowances" USING btree ("day");--> statement-breakpoint
CREATE INDEX "failed_sign_ins_since" ON "failed_sign_ins" USING btree ("since");--> statement-breakpoint
CREATE INDEX "request_log_page" ON "request_log" USING btree ("key_id","at","id");--> statement-breakpoint
CREATE INDEX "creator_notes_channel" ON "creator_notes" USING btree ("channel_id");--> statement-breakpoint
CREATE INDEX "list_creators_channel" ON "list_creators" USING btree ("channel_id");--> statement-breakpoint
CREATE INDEX "niche_channels_channel" ON "niche_channels" USING btree ("channel_id");--> statement-breakpoint
CREATE INDEX "niche_queue_niche" ON "niche_queue" USING btree ("niche");--> statement-breakpoint
CREATE INDEX "key_requests_requested_at" ON "key_requests" USING btree ("requested_at");--> statement-breakpoint
CREATE INDEX "snapshot_batches_pending" ON "snapshot_batches" USING btree ("day") WHERE "snapshot_batches"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "shares_of_creator" ON "shares" USING btree ("key_id","channel_id");--> statement-breakpoint
CREATE INDEX "shares_of_list" ON "shares" USING btree ("key_id","list_id");--> statement-breakpoint
CREATE INDEX "shares_expire" ON "shares" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "alert_causes_pending" ON "alert_causes" USING btree ("created_at") WHERE "alert_causes"."kind" = 'pending';