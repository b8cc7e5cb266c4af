CREATE TABLE "key_request_counts" (
	"day" date NOT NULL,
	"address" text NOT NULL,
	"requests" integer NOT NULL,
	CONSTRAINT "key_request_counts_day_address_pk" PRIMARY KEY("day","address"),
	CONSTRAINT "key_request_counts_positive" CHECK ("key_request_counts"."requests" > 0)
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
CREATE TABLE "shares" (
	"key_id" text NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"channel_id" text NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "shares_key_id_id_pk" PRIMARY KEY("key_id","id"),
	CONSTRAINT "shares_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "shares_token_hash_is_sha256" CHECK ("shares"."token_hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "shares_expire_after_creation" CHECK ("shares"."expires_at" > "shares"."created_at")
);
--> statement-breakpoint
ALTER TABLE "key_requests" ADD CONSTRAINT "key_requests_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_tracked_fk" FOREIGN KEY ("key_id","channel_id") REFERENCES "public"."tracked_creators"("key_id","channel_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "key_requests_requested_at" ON "key_requests" USING btree ("requested_at");--> statement-breakpoint
CREATE INDEX "shares_of_creator" ON "shares" USING btree ("key_id","channel_id");--> statement-breakpoint
CREATE INDEX "shares_expire" ON "shares" USING btree ("expires_at");