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
	CONSTRAINT "deliveries_once_per_alert_destination" UNIQUE("alert_id","destination"),
	CONSTRAINT "deliveries_destination_is_known" CHECK ("deliveries"."destination" in ('email', 'monitoring')),
	CONSTRAINT "deliveries_status_is_known" CHECK ("deliveries"."status" in ('pending', 'sending', 'sent', 'failed', 'skipped', 'unknown')),
	CONSTRAINT "deliveries_email_has_recipient" CHECK (("deliveries"."destination" = 'email') = ("deliveries"."recipient" is not null))
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
	CONSTRAINT "suppressions_reason_is_known" CHECK ("suppressions"."reason" in ('unsubscribed'))
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
ALTER TABLE "api_keys" DROP CONSTRAINT "api_keys_secretHash_unique";--> statement-breakpoint
DROP INDEX "alerts_page";--> statement-breakpoint
DROP INDEX "tracked_creators_page";--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_alert_id_alerts_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."alerts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suppressions" ADD CONSTRAINT "suppressions_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "snapshot_batches" ADD CONSTRAINT "snapshot_batches_day_snapshot_runs_day_fk" FOREIGN KEY ("day") REFERENCES "public"."snapshot_runs"("day") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deliveries_open" ON "deliveries" USING btree ("created_at") WHERE "deliveries"."status" in ('pending', 'sending');--> statement-breakpoint
CREATE INDEX "alerts_page" ON "alerts" USING btree ("key_id","created_at","id");--> statement-breakpoint
CREATE INDEX "tracked_creators_page" ON "tracked_creators" USING btree ("key_id","tracked_since","channel_id");--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_secret_hash_unique" UNIQUE("secret_hash");