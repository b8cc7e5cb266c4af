import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { isAppError } from "@/core/errors";
import { isChannelId } from "@/features/creators/rules";
import type { CreatorDetails } from "@/features/creators/schema";
import { trackedCreator } from "@/features/creators/service";
import { appContext } from "@/server/context";
import { named } from "../../../../request-id";
import { MadeFor } from "../../../_client/made-for";
import { requireKey } from "../../../_server/session";
import { CreatorView } from "./creator-view";

interface CreatorPageProps {
  params: Promise<{ channel_id: string }>;
}

/** The tracked creator, or null. Read once for title and page. */
const loadCreator = cache(async (channelId: string): Promise<CreatorDetails | null> => {
  const { id } = await requireKey();
  // Other texts are no ids and must not reach the log.
  if (!isChannelId(channelId)) return null;
  try {
    return await named(trackedCreator(appContext(), id, channelId));
  } catch (error) {
    if (isAppError(error) && error.code === "not_found") return null;
    throw error;
  }
});

export async function generateMetadata({ params }: CreatorPageProps): Promise<Metadata> {
  const creator = await loadCreator((await params).channel_id);
  return { title: creator?.name ?? "Not tracked" };
}

export default async function CreatorPage({ params }: CreatorPageProps) {
  const { id } = await requireKey();
  const creator = await loadCreator((await params).channel_id);
  if (!creator) notFound();
  return (
    <MadeFor keyId={id}>
      <CreatorView initial={creator} />
    </MadeFor>
  );
}
