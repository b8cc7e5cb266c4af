ALTER TABLE "deliveries" ADD COLUMN "outcome_unknown_since" timestamp (3) with time zone;--> statement-breakpoint
UPDATE "deliveries" SET "outcome_unknown_since" = "begun_at"
WHERE "status" = 'unknown' OR ("status" IN ('pending', 'sending') AND ("destination" = 'monitoring' OR "mail" IS NOT NULL));
