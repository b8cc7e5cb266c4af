import type { ReactNode } from "react";
import { appContext } from "@/server/context";
import { LeadToSignIn } from "../_client/lead-to-sign-in";
import { currentKey } from "../_server/session";
import { Shell } from "./_shell/shell";

/** Around every page that shows a key's data; without a session it leads to sign in. */
export default async function AccountLayout({ children }: { children: ReactNode }) {
  const key = await currentKey();
  if (!key) return <LeadToSignIn />;
  const { label, tier } = key;
  return (
    <Shell label={label} tier={tier} sample={appContext().platform.name === "sample"}>
      {children}
    </Shell>
  );
}
