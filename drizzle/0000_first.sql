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
	CONSTRAINT "alerts_once_per_key_channel_day" UNIQUE("key_id","channel_id","day"),
	CONSTRAINT "alerts_growth_above_ten_percent" CHECK ("alerts"."subscribers_before" > 0 and "alerts"."subscribers_after" * 10 > "alerts"."subscribers_before" * 11),
	CONSTRAINT "alerts_severity_is_known" CHECK ("alerts"."severity" in ('EXPLOSIVE', 'SURGING', 'RISING FAST', 'WATCH'))
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
	"last_snapshot_at" timestamp (3) with time zone,
	CONSTRAINT "channels_id_form" CHECK ("channels"."id" ~ '^UC[A-Za-z0-9_-]{22}$'),
	CONSTRAINT "channels_status_is_known" CHECK ("channels"."status" in ('active', 'unavailable')),
	CONSTRAINT "channels_score_range" CHECK ("channels"."score" between 0 and 100),
	CONSTRAINT "channels_score_basis_is_known" CHECK ("channels"."score_basis" in ('history', 'profile'))
);
--> statement-breakpoint
CREATE TABLE "niche_channels" (
	"niche" text NOT NULL,
	"channel_id" text NOT NULL,
	CONSTRAINT "niche_channels_niche_channel_id_pk" PRIMARY KEY("niche","channel_id")
);
--> statement-breakpoint
CREATE TABLE "niches" (
	"niche" text PRIMARY KEY NOT NULL,
	"refreshed_at" timestamp (3) with time zone NOT NULL
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
	CONSTRAINT "api_keys_secretHash_unique" UNIQUE("secret_hash"),
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
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "niche_channels" ADD CONSTRAINT "niche_channels_niche_niches_niche_fk" FOREIGN KEY ("niche") REFERENCES "public"."niches"("niche") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "niche_channels" ADD CONSTRAINT "niche_channels_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "snapshots" ADD CONSTRAINT "snapshots_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracked_creators" ADD CONSTRAINT "tracked_creators_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracked_creators" ADD CONSTRAINT "tracked_creators_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_emails" ADD CONSTRAINT "alert_emails_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "daily_usage" ADD CONSTRAINT "daily_usage_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alerts_page" ON "alerts" USING btree ("key_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "tracked_creators_page" ON "tracked_creators" USING btree ("key_id","tracked_since" DESC NULLS LAST,"channel_id");--> statement-breakpoint
CREATE INDEX "tracked_creators_channel" ON "tracked_creators" USING btree ("channel_id");