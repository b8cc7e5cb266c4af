import { appContext } from "@/server/context";
import { securityText } from "@/server/security-text";

export const dynamic = "force-dynamic";

// /.well-known/security.txt – whom to tell of a weakness: https://www.rfc-editor.org/rfc/rfc9116
export function GET() {
  const text = securityText(appContext());
  const headers = { "Content-Type": "text/plain; charset=utf-8" };
  return text === null
    ? new Response("The operator has set no address\n", { status: 404, headers })
    : new Response(text, { headers });
}
