import type { Metadata } from "next";
import { findCreatorToMute } from "@/features/notifications/mutes.service";
import { getAppContext } from "@/server/context";
import { LinkPage } from "@/ui/link-page";

export const metadata: Metadata = {
  title: "Mute a creator",
  referrer: "no-referrer",
  robots: { index: false },
};

interface MutePageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Confirms that a creator's emails stop. */
export default async function MutePage({ searchParams }: MutePageProps) {
  const { token, done } = await searchParams;
  if (done)
    return (
      <LinkPage title="Muted">
        You get no more emails about this creator. Its alerts stay in the console, where you can unmute it in
        the settings.
      </LinkPage>
    );
  const name = typeof token === "string" ? await findCreatorToMute(getAppContext(), token) : null;
  if (!name || typeof token !== "string")
    return <LinkPage title="This link is not valid">Open the full link from your latest email.</LinkPage>;
  return (
    <LinkPage
      title="Mute this creator?"
      action={{ url: `/api/mute?token=${encodeURIComponent(token)}`, label: "Mute" }}
    >
      You will get no more emails about <strong dir="auto">{name}</strong>. Its alerts are still made and
      shown in the console.
    </LinkPage>
  );
}
