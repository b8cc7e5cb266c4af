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
ALTER TABLE "changes" ADD CONSTRAINT "changes_key_id_key_positions_key_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."key_positions"("key_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "changes" ADD CONSTRAINT "changes_alert_id_alerts_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."alerts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_positions" ADD CONSTRAINT "key_positions_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "changes_age" ON "changes" USING btree ("at");--> statement-breakpoint
insert into key_positions (key_id, position, purged)
  select key_id, count(*), count(*) from alerts group by key_id;--> statement-breakpoint
insert into changes (key_id, position, kind, at, channel_id, alert_id)
  select key_id, row_number() over (partition by key_id order by created_at, id), 'alert_created', created_at, channel_id, id
  from alerts;
