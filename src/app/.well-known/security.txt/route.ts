import { appContext } from "@/server/context";
import { securityText } from "@/server/ops/security-txt";

export const dynamic = "force-dynamic";

// /.well-known/security.txt – where to report a vulnerability (RFC 9116)
export function GET() {
  const { env, clock } = appContext();
  return new Response(securityText(env, clock), { headers: { "Content-Type": "text/plain; charset=utf-8" } });
}
