import { cache } from "react";
import { getSharedCard, type SharedCard } from "@/features/creators/shares.service";
import { canCompareChannels, getAppContext } from "@/server/context";
import { withRequestDigest } from "../../../request-id";

/** The card of a link, read once per request. */
export const getCard = cache((token: string): Promise<SharedCard | null> => {
  const ctx = getAppContext();
  return withRequestDigest(getSharedCard({ ...ctx, mayPublish: canCompareChannels(ctx) }, token));
});
