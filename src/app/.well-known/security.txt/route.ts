import { appContext } from "@/server/context";
import { securityText } from "@/server/security-txt";

export const dynamic = "force-dynamic";

// /.well-known/security.txt – whom to tell of a hole in this service (RFC 9116)
export function GET() {
  const { env, clock } = appContext();
  return new Response(securityText(env, clock), { headers: { "Content-Type": "text/plain; charset=utf-8" } });
}
