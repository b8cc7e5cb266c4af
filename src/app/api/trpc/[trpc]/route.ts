import { MAX_BODY_BYTES } from "@/server/input";
import { openResource } from "@/server/rest";
import { serveProcedures } from "@/server/trpc";

// /api/trpc/{procedures} – the console's calls, authenticated by session
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openResource(
  "/api/trpc",
  { GET: serveProcedures, POST: serveProcedures },
  { maxBodyBytes: MAX_BODY_BYTES },
);
