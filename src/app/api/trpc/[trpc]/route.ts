import { MAX_BODY_BYTES } from "@/server/api/input";
import { openResource } from "@/server/api/rest";
import { serveProcedures } from "@/server/console/trpc";

// /api/trpc/{procedures} – the console's calls, authenticated by session
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openResource(
  "/api/trpc",
  { GET: serveProcedures, POST: serveProcedures },
  { maxBodyBytes: MAX_BODY_BYTES },
);
