CREATE TABLE "muted_creators" (
	"key_id" text NOT NULL,
	"channel_id" text NOT NULL,
	"muted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "muted_creators_key_id_channel_id_pk" PRIMARY KEY("key_id","channel_id")
);
--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "read_at" timestamp (3) with time zone;--> statement-breakpoint
-- The alerts so far count as read.
UPDATE "alerts" SET "read_at" = "created_at";--> statement-breakpoint
ALTER TABLE "muted_creators" ADD CONSTRAINT "muted_creators_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "muted_creators" ADD CONSTRAINT "muted_creators_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "muted_creators_channel" ON "muted_creators" USING btree ("channel_id");--> statement-breakpoint
CREATE INDEX "alerts_unread" ON "alerts" USING btree ("key_id") WHERE "alerts"."read_at" is null;