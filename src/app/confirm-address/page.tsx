import type { Metadata } from "next";
import { readLinkAddress } from "@/features/notifications/suppressions.service";
import { getAppContext } from "@/server/context";
import { LinkPage } from "@/ui/link-page";

export const metadata: Metadata = {
  title: "Confirm address",
  referrer: "no-referrer",
  robots: { index: false },
};

interface ConfirmPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Confirms an alert address. */
export default async function ConfirmAddressPage({ searchParams }: ConfirmPageProps) {
  const { token, done } = await searchParams;
  if (done) return <LinkPage title="Confirmed">This address gets growth alerts from now on.</LinkPage>;
  const address =
    typeof token === "string" ? readLinkAddress(getAppContext(), "confirm-address", token) : null;
  if (!address || typeof token !== "string")
    return <LinkPage title="This link is not valid">Open the full link from your latest email.</LinkPage>;
  return (
    <LinkPage
      title="Receive growth alerts?"
      action={{
        url: `/api/confirm-address?token=${encodeURIComponent(token)}`,
        label: "Receive growth alerts",
      }}
    >
      <strong>{address}</strong> will get an email when a creator tracked by this API key grows more than 10%
      in one day.
    </LinkPage>
  );
}
