import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { isUnauthorized } from "@/core/errors";
import type { SignedInKey } from "@/features/keys/schema";
import { requireActiveSession } from "@/server/console/session";
import { getAppContext } from "@/server/context";
import { withRequestDigest } from "../../request-id";

/** The key of the signed-in reader, or null. Read once per request. */
export const getCurrentKey = cache(async (): Promise<SignedInKey | null> => {
  const ctx = getAppContext();
  const cookies = (await headers()).get("cookie");
  try {
    return (await withRequestDigest(requireActiveSession(ctx, cookies))).key;
  } catch (error) {
    if (isUnauthorized(error)) return null;
    throw error;
  }
});

/** The key of the signed-in reader. Other readers are redirected to sign-in. */
export async function requireKey(): Promise<SignedInKey> {
  return (await getCurrentKey()) ?? redirect("/sign-in");
}
