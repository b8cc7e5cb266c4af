import { getAppContext } from "@/server/context";
import { renderSecurityText } from "@/server/ops/security-txt";

// /.well-known/security.txt – where to report a vulnerability (RFC 9116)
export function GET() {
  const { env, clock } = getAppContext();
  return new Response(renderSecurityText(env, clock), { headers: { "Content-Type": "text/plain; charset=utf-8" } });
}
