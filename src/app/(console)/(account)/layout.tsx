import type { ReactNode } from "react";
import { appContext } from "@/server/context";
import { LeadToSignIn } from "../_client/lead-to-sign-in";
import { MadeFor } from "../_client/made-for";
import { Prefetched } from "../_client/prefetched";
import { prefetchHelpers } from "../_server/prefetch";
import { currentKey } from "../_server/session";
import { Shell } from "./_shell/shell";

/** The layout of all pages with a key's data; redirects to sign-in without a session. */
export default async function AccountLayout({ children }: { children: ReactNode }) {
  const key = await currentKey();
  if (!key) return <LeadToSignIn />;
  const { platform } = appContext();
  const helpers = prefetchHelpers(key);
  // Data of the frame.
  await Promise.all([
    helpers.usage.today.prefetch(),
    helpers.snapshots.status.prefetch(),
    helpers.alerts.unread.prefetch(),
  ]);
  return (
    <MadeFor keyId={key.id}>
      <Prefetched state={helpers.dehydrate()}>
        <Shell label={key.label} tier={key.tier} sample={platform.name === "sample"}>
          {children}
        </Shell>
      </Prefetched>
    </MadeFor>
  );
}
