import { headers } from "next/headers";
import type { ComponentProps } from "react";
import { hasSession } from "@/server/console/session";
import { getAppContext } from "@/server/context";
import { SiteShell } from "@/ui/site-shell";

/** A public page. The last link of its header leads signed-in readers back to the console. */
export async function SitePage(props: Omit<ComponentProps<typeof SiteShell>, "links">) {
  const isSignedIn = hasSession(getAppContext().env, (await headers()).get("cookie"));
  const links = [
    { href: "/accuracy", text: "Accuracy" },
    { href: "/docs/quick-start", text: "Docs" },
    { href: "/status", text: "Status" },
    { href: "/#pricing", text: "Prices" },
    isSignedIn ? { href: "/overview", text: "Open the console" } : { href: "/sign-in", text: "Sign in" },
  ];
  return <SiteShell links={links} {...props} />;
}
