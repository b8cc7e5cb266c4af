import type { Metadata } from "next";
import { SiteShell } from "@/ui/site-shell";
import { HEADER } from "./links";
import { Reference } from "./reference";

export const metadata: Metadata = {
  title: "API reference",
  description: "Every endpoint, with requests that you can send with your key.",
};

/** The interactive reference. */
export default function ReferencePage() {
  return (
    <SiteShell links={HEADER} hasOwnMain>
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
