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
ALTER TABLE "creator_lists" ADD CONSTRAINT "creator_lists_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "creator_notes" ADD CONSTRAINT "creator_notes_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "creator_notes" ADD CONSTRAINT "creator_notes_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "list_creators" ADD CONSTRAINT "list_creators_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "list_creators" ADD CONSTRAINT "list_creators_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "list_creators" ADD CONSTRAINT "list_creators_list_fk" FOREIGN KEY ("key_id","list_id") REFERENCES "public"."creator_lists"("key_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "creator_notes_channel" ON "creator_notes" USING btree ("channel_id");--> statement-breakpoint
CREATE INDEX "list_creators_channel" ON "list_creators" USING btree ("channel_id");