import { provideEnv } from "@/core/env";

/** `npm run dev` or `npm start`. */
export const MODE = process.argv[2] === "dev" ? "development" : "production";

// Set before other imports: React reads NODE_ENV when it loads.
provideEnv({ NODE_ENV: MODE, NEXT_TELEMETRY_DISABLED: "1" });
