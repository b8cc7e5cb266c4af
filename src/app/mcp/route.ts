import { MAX_BODY_BYTES } from "@/server/api/input";
import { openResource } from "@/server/api/rest";
import { checkAgent, serveMcp } from "@/server/mcp/http";

// /mcp – the Model Context Protocol, for agents; every message needs a key
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openResource(
  "/mcp",
  { POST: serveMcp },
  { maxBodyBytes: MAX_BODY_BYTES, checkCaller: checkAgent },
);
