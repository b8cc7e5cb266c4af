ALTER TABLE "channels" ALTER COLUMN "read_at" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "channels" ALTER COLUMN "score" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "snapshots" ALTER COLUMN "score" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "channels" DROP COLUMN "last_daily_at";--> statement-breakpoint
UPDATE "channels" SET "read_at" = null
WHERE "name" = "id" AND num_nonnulls("handle", "thumbnail_url", "country", "subscribers", "views", "videos") = 0;--> statement-breakpoint
UPDATE "channels" SET "score" = null, "score_basis" = 'profile', "percentile" = null WHERE "subscribers" IS NULL;--> statement-breakpoint
UPDATE "snapshots" SET "score" = null, "score_parts" = '{}' WHERE "subscribers" IS NULL;--> statement-breakpoint
DELETE FROM "score_grades";--> statement-breakpoint
ALTER TABLE "channels" ADD CONSTRAINT "channels_score_needs_count" CHECK (("channels"."score" is null) = ("channels"."subscribers" is null));
