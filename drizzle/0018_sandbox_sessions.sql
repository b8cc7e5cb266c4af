CREATE TABLE "sandbox_sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"key_id" text NOT NULL,
	"address" text NOT NULL,
	"start_day" date NOT NULL,
	"clock" timestamp (3) with time zone NOT NULL,
	"run_until" timestamp (3) with time zone NOT NULL,
	"requests" integer NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sandbox_sessions_runs_in_the_past" CHECK ("sandbox_sessions"."run_until" <= "sandbox_sessions"."clock"),
	CONSTRAINT "sandbox_sessions_requests_not_negative" CHECK ("sandbox_sessions"."requests" >= 0)
);
--> statement-breakpoint
ALTER TABLE "sandbox_sessions" ADD CONSTRAINT "sandbox_sessions_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;