import { resource } from "@/server/rest";

// Every other path under /api: let in and counted like the others, and not found
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource();
