ALTER TABLE "api_keys" ADD COLUMN "previous_secret_hash" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "previous_works_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_previous_secret_hash_unique" UNIQUE("previous_secret_hash");--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_previous_secret_hash_is_sha256" CHECK ("api_keys"."previous_secret_hash" ~ '^[0-9a-f]{64}$');--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_previous_secret_has_an_end" CHECK (("api_keys"."previous_secret_hash" is null) = ("api_keys"."previous_works_until" is null));