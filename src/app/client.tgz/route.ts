import { CLIENT_TARBALL } from "@/server/docs/guides";

// /client.tgz – leads to the current version of the typed client
export function GET() {
  const headers = { Location: CLIENT_TARBALL, "Cache-Control": "no-store", "Access-Control-Allow-Origin": "*" };
  return new Response(null, { status: 307, headers });
}
