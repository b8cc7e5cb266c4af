import { cache } from "react";
import { type SharedCard, sharedCard } from "@/features/creators/shares.service";
import { appContext, mayCompareChannels } from "@/server/context";
import { named } from "../../../request-id";

/** The card of a link, read once per request. */
export const cardOf = cache((token: string): Promise<SharedCard | null> => {
  const ctx = appContext();
  return named(sharedCard({ ...ctx, mayPublish: mayCompareChannels(ctx) }, token));
});
