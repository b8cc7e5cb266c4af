import { MAX_BODY_BYTES } from "@/server/input";
import { serveMcp } from "@/server/mcp";
import { openResource } from "@/server/rest";

// /mcp – the Model Context Protocol, for agents; every message needs a key
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openResource(
  "/mcp",
  { POST: serveMcp },
  { maxBodyBytes: MAX_BODY_BYTES },
);
