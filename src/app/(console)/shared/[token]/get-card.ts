import { cache } from "react";
import { withRequestDigest } from "@/app/request-id";
import { getSharedCard, type SharedCard } from "@/features/creators/shares.service";
import { canCompareChannels, getAppContext } from "@/server/context";

/** The card of a link, read once per request. */
export const getCard = cache((token: string): Promise<SharedCard | null> => {
  const ctx = getAppContext();
  return withRequestDigest(getSharedCard({ ...ctx, mayPublish: canCompareChannels(ctx) }, token));
});
