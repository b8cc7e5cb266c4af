CREATE TABLE "key_handle_lookups" (
	"key_id" text NOT NULL,
	"day" date NOT NULL,
	"lookups" integer NOT NULL,
	CONSTRAINT "key_handle_lookups_key_id_day_pk" PRIMARY KEY("key_id","day"),
	CONSTRAINT "key_handle_lookups_not_negative" CHECK ("key_handle_lookups"."lookups" >= 0)
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
ALTER TABLE "niche_searches" DROP CONSTRAINT "niche_searches_purpose_is_known";--> statement-breakpoint
ALTER TABLE "key_handle_lookups" ADD CONSTRAINT "key_handle_lookups_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "niche_queue" ADD CONSTRAINT "niche_queue_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "channels_handle" ON "channels" USING btree (lower("handle" collate "C"));--> statement-breakpoint
CREATE INDEX "niche_queue_niche" ON "niche_queue" USING btree ("niche");--> statement-breakpoint
ALTER TABLE "niche_searches" ADD CONSTRAINT "niche_searches_purpose_is_known" CHECK ("niche_searches"."purpose" in ('first', 'renewal', 'map'));