import { cache } from "react";
import type { Alert } from "@/features/alerts/schema";
import { listAlerts } from "@/features/alerts/service";
import { getSharedCard, getSharedList, type SharedCard, type SharedList } from "@/features/creators/shares.service";
import { canCompareChannels, getAppContext } from "@/server/context";
import { withRequestDigest } from "../../../request-id";

/** The card or the list of a link, read once per request; null for the other, and for both when the link has ended. */
export const getShared = cache((token: string): Promise<[SharedCard | null, SharedList | null]> => {
  const app = getAppContext();
  const ctx = { ...app, mayPublish: canCompareChannels(app) };
  return withRequestDigest(Promise.all([getSharedCard(ctx, token), getSharedList(ctx, token)]));
});

/** The latest alert of the creator on a card; null when there is none. */
export async function getLastAlert({ keyId, creator }: SharedCard): Promise<Alert | null> {
  const page = { offset: 0, limit: 1 };
  const { alerts } = await listAlerts(getAppContext(), keyId, page, { channel_id: creator.channel_id });
  return alerts[0] ?? null;
}
