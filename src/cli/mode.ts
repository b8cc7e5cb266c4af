import { provideEnv } from "@/core/env";

/** What the launcher was asked for. */
export const MODE = process.argv[2] === "dev" ? "development" : "production";

// Before anything else is imported: React chooses its build by it the first time.
provideEnv({ NODE_ENV: MODE, NEXT_TELEMETRY_DISABLED: "1" });
