import type { ReactNode } from "react";
import { getAppContext } from "@/server/context";
import { RedirectToSignIn } from "../_client/redirect-to-sign-in";
import { createPrefetchHelpers, getCurrentKey, Prefetched } from "../_server/page";
import { Shell } from "./_shell/shell";

/** The layout of all pages with a key's data; redirects to sign-in without a session. */
export default async function AccountLayout({ children }: { children: ReactNode }) {
  const key = await getCurrentKey();
  if (!key) return <RedirectToSignIn />;
  const { platform } = getAppContext();
  const helpers = createPrefetchHelpers(key);
  // Data of the frame.
  await Promise.all([
    helpers.usage.today.prefetch(),
    helpers.snapshots.status.prefetch(),
    helpers.alerts.unread.prefetch(),
    helpers.lists.all.prefetch(),
  ]);
  return (
    <Prefetched keyId={key.id} helpers={helpers}>
      <Shell label={key.label} tier={key.tier} sample={platform.name === "sample"} demo={key.isDemo}>
        {children}
      </Shell>
    </Prefetched>
  );
}
