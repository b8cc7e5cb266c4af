import type { Metadata } from "next";
import { addressOf } from "@/features/notifications/suppressions.service";
import { appContext } from "@/server/context";
import { LinkPage } from "@/ui/link-page";

export const metadata: Metadata = { title: "Unsubscribe", referrer: "no-referrer", robots: { index: false } };

interface UnsubscribePageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Asks whether to end the mails to an address, or says that they have ended. */
export default async function UnsubscribePage({ searchParams }: UnsubscribePageProps) {
  const { token, done } = await searchParams;
  if (done)
    return (
      <LinkPage title="Unsubscribed">
        No more growth alerts will be mailed to this address for that API key.
      </LinkPage>
    );
  const address = typeof token === "string" ? addressOf(appContext(), "unsubscribe", token) : null;
  if (!address || typeof token !== "string")
    return <LinkPage title="This link is not valid">Please use the link of the latest mail, whole.</LinkPage>;
  return (
    <LinkPage
      title="Unsubscribe?"
      action={{ url: `/api/unsubscribe?token=${encodeURIComponent(token)}`, label: "Unsubscribe" }}
    >
      Growth alerts will no longer be mailed to <strong>{address}</strong> for this API key.
    </LinkPage>
  );
}
