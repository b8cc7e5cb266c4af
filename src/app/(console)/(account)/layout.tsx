import { HydrationBoundary } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { getAppContext } from "@/server/context";
import { KeyGuard } from "../_client/key-guard";
import { createPrefetchHelpers } from "../_server/prefetch";
import { getCurrentKey } from "../_server/session";
import { RedirectToSignIn, Shell } from "./_shell/shell";

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
    <KeyGuard keyId={key.id}>
      <HydrationBoundary state={helpers.dehydrate()}>
        <Shell label={key.label} tier={key.tier} sample={platform.name === "sample"} demo={key.isDemo}>
          {children}
        </Shell>
      </HydrationBoundary>
    </KeyGuard>
  );
}
