import { cache } from "react";
import type { Alert } from "@/features/alerts/schema";
import { listAlerts } from "@/features/alerts/service";
import { getSharedCard, getSharedList, type SharedCard, type SharedList } from "@/features/creators/shares.service";
import { canCompareChannels, getAppContext } from "@/server/context";
import { withRequestDigest } from "../../../request-id";

/** The card of a link, read once per request. */
export const getCard = cache((token: string): Promise<SharedCard | null> => {
  const ctx = getAppContext();
  return withRequestDigest(getSharedCard({ ...ctx, mayPublish: canCompareChannels(ctx) }, token));
});

/** The list of a link, read once per request. */
export const getList = cache((token: string): Promise<SharedList | null> => {
  const ctx = getAppContext();
  return withRequestDigest(getSharedList({ ...ctx, mayPublish: canCompareChannels(ctx) }, token));
});

/** The latest alert of the creator on a card; null when there is none. */
export async function getLastAlert({ keyId, creator }: SharedCard): Promise<Alert | null> {
  const page = { offset: 0, limit: 1 };
  const { alerts } = await listAlerts(getAppContext(), keyId, page, { channel_id: creator.channel_id });
  return alerts[0] ?? null;
}
