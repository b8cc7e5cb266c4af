import type { Metadata } from "next";
import { SiteShell } from "@/ui/site-shell";
import { siteLinks } from "../site-links";
import { Reference } from "./reference";

export const metadata: Metadata = {
  title: "API reference",
  description: "Every endpoint, with requests that you can send with your key.",
};

/** The interactive reference. */
export default async function ReferencePage() {
  return (
    <SiteShell links={await siteLinks()} hasOwnMain>
      <Reference />
      <noscript>
        <p>
          The interactive reference needs JavaScript. <a href="/docs/endpoints">All endpoints</a> can be read
          without.
        </p>
      </noscript>
    </SiteShell>
  );
}
