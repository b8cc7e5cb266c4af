ALTER TABLE "deliveries" DROP COLUMN "begun_at";--> statement-breakpoint
ALTER TABLE "suppressions" DROP COLUMN "ask_tries";