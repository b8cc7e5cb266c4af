import { headers } from "next/headers";
import { hasSession } from "@/server/console/session";
import { getAppContext } from "@/server/context";
import type { SiteLink } from "@/ui/site-shell";

/** Header links of the public pages. The last one leads signed-in readers back to the console. */
export async function getSiteLinks(): Promise<readonly SiteLink[]> {
  const isSignedIn = hasSession(getAppContext().env, (await headers()).get("cookie"));
  return [
    { href: "/accuracy", text: "Accuracy" },
    { href: "/docs/quick-start", text: "Docs" },
    { href: "/status", text: "Status" },
    { href: "/#pricing", text: "Prices" },
    isSignedIn ? { href: "/overview", text: "Open the console" } : { href: "/sign-in", text: "Sign in" },
  ];
}
