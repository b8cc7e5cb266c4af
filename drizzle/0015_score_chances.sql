ALTER TABLE "alerts" DROP CONSTRAINT "alerts_label_is_known";--> statement-breakpoint
UPDATE "alerts" SET "label" = 'single_day' WHERE "label" = 'spike';--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "held_chance" double precision;--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "chance_7d" double precision;--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "chance_28d" double precision;--> statement-breakpoint
ALTER TABLE "snapshots" ADD COLUMN "chance_7d" double precision;--> statement-breakpoint
ALTER TABLE "snapshots" ADD COLUMN "chance_28d" double precision;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_held_chance_range" CHECK ("alerts"."held_chance" between 0 and 1);--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_label_is_known" CHECK ("alerts"."label" in ('sustained', 'single_day', 'recovery', 'too_early'));--> statement-breakpoint
ALTER TABLE "channels" ADD CONSTRAINT "channels_chances_range" CHECK ("channels"."chance_7d" between 0 and 1 and "channels"."chance_28d" between 0 and 1);