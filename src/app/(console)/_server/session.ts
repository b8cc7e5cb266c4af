import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import type { SignedInKey } from "@/features/keys/schema";
import { findSignedInKey } from "@/server/console/session";
import { getAppContext } from "@/server/context";
import { withRequestDigest } from "../../request-id";

/** The key of the signed-in reader, or null. Read once per request. */
export const getCurrentKey = cache(async (): Promise<SignedInKey | null> => {
  const cookies = (await headers()).get("cookie");
  return withRequestDigest(findSignedInKey(getAppContext(), cookies));
});

/** The key of the signed-in reader. Other readers are redirected to sign-in. */
export async function requireKey(): Promise<SignedInKey> {
  return (await getCurrentKey()) ?? redirect("/sign-in");
}
