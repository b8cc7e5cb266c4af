import type { Metadata } from "next";
import { readLinkAddress } from "@/features/notifications/suppressions.service";
import { getAppContext } from "@/server/context";
import { LinkPage } from "@/ui/link-page";

export const metadata: Metadata = { title: "Unsubscribe", referrer: "no-referrer", robots: { index: false } };

interface UnsubscribePageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Confirms an unsubscribe. */
export default async function UnsubscribePage({ searchParams }: UnsubscribePageProps) {
  const { token, done } = await searchParams;
  if (done)
    return <LinkPage title="Unsubscribed">This address gets no more emails from this API key.</LinkPage>;
  const address = typeof token === "string" ? readLinkAddress(getAppContext(), "unsubscribe", token) : null;
  if (!address || typeof token !== "string")
    return <LinkPage title="This link is not valid">Open the full link from your latest email.</LinkPage>;
  return (
    <LinkPage
      title="Unsubscribe?"
      action={{ url: `/api/unsubscribe?token=${encodeURIComponent(token)}`, label: "Unsubscribe" }}
    >
      <strong>{address}</strong> will get no more emails from this API key.
    </LinkPage>
  );
}
