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
	"label" text,
	"reason" text,
	"outcome_7d" text,
	"outcome_7d_at" timestamp (3) with time zone,
	"outcome_28d" text,
	"outcome_28d_at" timestamp (3) with time zone,
	CONSTRAINT "alerts_once_per_key_channel_day" UNIQUE("key_id","channel_id","day"),
	CONSTRAINT "alerts_growth_above_ten_percent" CHECK ("alerts"."subscribers_before" > 0 and "alerts"."subscribers_after" * 10 > "alerts"."subscribers_before" * 11),
	CONSTRAINT "alerts_severity_is_known" CHECK ("alerts"."severity" in ('EXPLOSIVE', 'SURGING', 'RISING FAST', 'WATCH')),
	CONSTRAINT "alerts_label_is_known" CHECK ("alerts"."label" in ('sustained', 'spike', 'too_early')),
	CONSTRAINT "alerts_label_has_reason" CHECK (("alerts"."label" is null) = ("alerts"."reason" is null)),
	CONSTRAINT "alerts_outcome_7d_is_known" CHECK ("alerts"."outcome_7d" in ('held', 'faded', 'unclear')),
	CONSTRAINT "alerts_outcome_28d_is_known" CHECK ("alerts"."outcome_28d" in ('held', 'faded', 'unclear')),
	CONSTRAINT "alerts_outcome_has_instant" CHECK (("alerts"."outcome_7d" is null) = ("alerts"."outcome_7d_at" is null) and ("alerts"."outcome_28d" is null) = ("alerts"."outcome_28d_at" is null))
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"alert_id" uuid NOT NULL,
	"destination" text NOT NULL,
	"recipient" text,
	"mail" jsonb,
	"status" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"begun_at" timestamp (3) with time zone,
	"tried_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"attempts" integer NOT NULL,
	"problem" text,
	"message_id" text,
	"receipt" text,
	"receipt_at" timestamp (3) with time zone,
	"receipt_detail" text,
	CONSTRAINT "deliveries_once_per_alert_destination" UNIQUE("alert_id","destination"),
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
CREATE TABLE "suppressions" (
	"key_id" text NOT NULL,
	"email" text NOT NULL,
	"reason" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"asked_at" timestamp (3) with time zone,
	CONSTRAINT "suppressions_key_id_email_pk" PRIMARY KEY("key_id","email"),
	CONSTRAINT "suppressions_email_is_lower_case" CHECK ("suppressions"."email" = lower("suppressions"."email")),
	CONSTRAINT "suppressions_reason_is_known" CHECK ("suppressions"."reason" in ('unsubscribed', 'bounced', 'complained'))
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
	"read_at" timestamp (3) with time zone NOT NULL,
	"score" smallint NOT NULL,
	"score_basis" text NOT NULL,
	"score_version" smallint NOT NULL,
	"growth_1d_percent" double precision,
	"growth_7d_percent" double precision,
	"percentile" double precision,
	"last_snapshot_at" timestamp (3) with time zone,
	CONSTRAINT "channels_id_form" CHECK ("channels"."id" ~ '^UC[A-Za-z0-9_-]{22}$'),
	CONSTRAINT "channels_status_is_known" CHECK ("channels"."status" in ('active', 'unavailable')),
	CONSTRAINT "channels_score_range" CHECK ("channels"."score" between 0 and 100),
	CONSTRAINT "channels_score_basis_is_known" CHECK ("channels"."score_basis" in ('history', 'profile')),
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
	"score" smallint NOT NULL,
	"score_version" smallint NOT NULL,
	"score_parts" jsonb NOT NULL,
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
CREATE TABLE "alert_emails" (
	"key_id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"set_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"secret_hash" text NOT NULL,
	"hint" text NOT NULL,
	"label" text NOT NULL,
	"tier" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"rotated_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "api_keys_secret_hash_unique" UNIQUE("secret_hash"),
	CONSTRAINT "api_keys_secret_hash_is_sha256" CHECK ("api_keys"."secret_hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "api_keys_tier_is_known" CHECK ("api_keys"."tier" in ('free', 'starter', 'pro')),
	CONSTRAINT "api_keys_label_length" CHECK (char_length("api_keys"."label") between 1 and 100)
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
CREATE TABLE "test_mails" (
	"key_id" text PRIMARY KEY NOT NULL,
	"day" date NOT NULL,
	"sent" integer NOT NULL,
	CONSTRAINT "test_mails_at_most_three_a_day" CHECK ("test_mails"."sent" between 0 and 3)
);
--> statement-breakpoint
CREATE TABLE "key_niche_searches" (
	"key_id" text NOT NULL,
	"day" date NOT NULL,
	"searches" integer NOT NULL,
	CONSTRAINT "key_niche_searches_key_id_day_pk" PRIMARY KEY("key_id","day"),
	CONSTRAINT "key_niche_searches_not_negative" CHECK ("key_niche_searches"."searches" >= 0)
);
--> statement-breakpoint
CREATE TABLE "niche_channels" (
	"niche" text NOT NULL,
	"channel_id" text NOT NULL,
	"found_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "niche_channels_niche_channel_id_pk" PRIMARY KEY("niche","channel_id")
);
--> statement-breakpoint
CREATE TABLE "niche_questions" (
	"niche" text NOT NULL,
	"key_id" text NOT NULL,
	"day" date NOT NULL,
	"spelling" text NOT NULL,
	CONSTRAINT "niche_questions_niche_key_id_day_spelling_pk" PRIMARY KEY("niche","key_id","day","spelling")
);
--> statement-breakpoint
CREATE TABLE "niche_searches" (
	"day" date NOT NULL,
	"purpose" text NOT NULL,
	"searches" integer NOT NULL,
	CONSTRAINT "niche_searches_day_purpose_pk" PRIMARY KEY("day","purpose"),
	CONSTRAINT "niche_searches_purpose_is_known" CHECK ("niche_searches"."purpose" in ('first', 'renewal')),
	CONSTRAINT "niche_searches_not_negative" CHECK ("niche_searches"."searches" >= 0)
);
--> statement-breakpoint
CREATE TABLE "niches" (
	"niche" text PRIMARY KEY NOT NULL,
	"spelling" text NOT NULL,
	"refreshed_at" timestamp (3) with time zone,
	"claimed_until" timestamp (3) with time zone,
	"renewal_asked_at" timestamp (3) with time zone,
	"close_to" text,
	CONSTRAINT "niches_is_filled_or_claimed" CHECK (coalesce("niches"."refreshed_at", "niches"."claimed_until") is not null)
);
--> statement-breakpoint
CREATE TABLE "platform_units" (
	"day" date NOT NULL,
	"bucket" text NOT NULL,
	"used" integer NOT NULL,
	"exhausted_until" timestamp (3) with time zone,
	CONSTRAINT "platform_units_day_bucket_pk" PRIMARY KEY("day","bucket"),
	CONSTRAINT "platform_units_bucket_is_known" CHECK ("platform_units"."bucket" in ('search', 'general')),
	CONSTRAINT "platform_units_used_not_negative" CHECK ("platform_units"."used" >= 0)
);
--> statement-breakpoint
CREATE TABLE "request_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "request_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"key_id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"request_id" text NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"query" text NOT NULL,
	"status" smallint NOT NULL,
	"milliseconds" real NOT NULL,
	CONSTRAINT "request_log_texts_are_bounded" CHECK (char_length("request_log"."path" || "request_log"."query") <= 1000)
);
--> statement-breakpoint
CREATE TABLE "run_notices" (
	"day" date PRIMARY KEY NOT NULL,
	"problem" text NOT NULL,
	"noted_at" timestamp (3) with time zone NOT NULL,
	"told_at" timestamp (3) with time zone
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
	"plans" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "console_sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"key_id" text NOT NULL,
	"begun_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "failed_sign_ins" (
	"address" text PRIMARY KEY NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"failures" integer NOT NULL,
	CONSTRAINT "failed_sign_ins_failures_positive" CHECK ("failed_sign_ins"."failures" > 0)
);
--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_alert_id_alerts_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."alerts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suppressions" ADD CONSTRAINT "suppressions_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "snapshots" ADD CONSTRAINT "snapshots_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracked_creators" ADD CONSTRAINT "tracked_creators_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracked_creators" ADD CONSTRAINT "tracked_creators_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_emails" ADD CONSTRAINT "alert_emails_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "daily_usage" ADD CONSTRAINT "daily_usage_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "test_mails" ADD CONSTRAINT "test_mails_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_niche_searches" ADD CONSTRAINT "key_niche_searches_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "niche_channels" ADD CONSTRAINT "niche_channels_niche_niches_niche_fk" FOREIGN KEY ("niche") REFERENCES "public"."niches"("niche") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "niche_channels" ADD CONSTRAINT "niche_channels_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "niche_questions" ADD CONSTRAINT "niche_questions_niche_niches_niche_fk" FOREIGN KEY ("niche") REFERENCES "public"."niches"("niche") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "niche_questions" ADD CONSTRAINT "niche_questions_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "niches" ADD CONSTRAINT "niches_close_to_niches_niche_fk" FOREIGN KEY ("close_to") REFERENCES "public"."niches"("niche") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request_log" ADD CONSTRAINT "request_log_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "snapshot_batches" ADD CONSTRAINT "snapshot_batches_day_snapshot_runs_day_fk" FOREIGN KEY ("day") REFERENCES "public"."snapshot_runs"("day") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "console_sessions" ADD CONSTRAINT "console_sessions_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alerts_page" ON "alerts" USING btree ("key_id","created_at","id");--> statement-breakpoint
CREATE INDEX "alerts_channel" ON "alerts" USING btree ("channel_id");--> statement-breakpoint
CREATE INDEX "alerts_ungraded" ON "alerts" USING btree ("day") WHERE "alerts"."outcome_7d" is null or "alerts"."outcome_28d" is null;--> statement-breakpoint
CREATE INDEX "alerts_day" ON "alerts" USING btree ("day","channel_id");--> statement-breakpoint
CREATE INDEX "deliveries_open" ON "deliveries" USING btree ("created_at") WHERE "deliveries"."status" in ('pending', 'sending');--> statement-breakpoint
CREATE INDEX "deliveries_mailed" ON "deliveries" USING btree ("finished_at") WHERE "deliveries"."mail" is not null;--> statement-breakpoint
CREATE INDEX "tracked_creators_page" ON "tracked_creators" USING btree ("key_id","tracked_since","channel_id");--> statement-breakpoint
CREATE INDEX "tracked_creators_channel" ON "tracked_creators" USING btree ("channel_id");--> statement-breakpoint
CREATE INDEX "niche_channels_channel" ON "niche_channels" USING btree ("channel_id");--> statement-breakpoint
CREATE INDEX "request_log_page" ON "request_log" USING btree ("key_id","at","id");--> statement-breakpoint
CREATE INDEX "snapshot_batches_pending" ON "snapshot_batches" USING btree ("day") WHERE "snapshot_batches"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "console_sessions_of_key" ON "console_sessions" USING btree ("key_id","begun_at","id");--> statement-breakpoint
CREATE INDEX "failed_sign_ins_since" ON "failed_sign_ins" USING btree ("since");