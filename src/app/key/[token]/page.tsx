import type { Metadata } from "next";
import { formatUtc } from "@/core/format";
import { readLink } from "@/features/keys/requests.service";
import { getAppContext } from "@/server/context";
import { Contact } from "@/ui/contact";
import { MessagePage } from "@/ui/message-page";
import { withRequestDigest } from "../../request-id";
import { KeyReveal } from "./key-reveal";

export const metadata: Metadata = { title: "Your API key", robots: { index: false, follow: false } };

/** Shows a new key once. Opening the page changes nothing; its button makes the key. */
export default async function KeyPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const ctx = getAppContext();
  const link = await withRequestDigest(readLink(ctx, token));
  const contact = <Contact>{ctx.env.operatorContact}</Contact>;
  if (link.state === "used")
    return (
      <MessagePage
        title="This link was already used"
        text={
          <>
            Its key was shown on {formatUtc(link.usedAt)} and cannot be shown again. If that was not you, or you lost
            the key, contact {contact}.
          </>
        }
      />
    );
  if (link.state === "ended")
    return (
      <MessagePage
        title="This link is not valid"
        text={
          <>
            It has expired, was replaced, or is not complete. Open the full link from your latest email, or contact{" "}
            {contact}.
          </>
        }
      />
    );
  const { label, tier, expiresAt } = link;
  return (
    <KeyReveal
      token={token}
      label={label}
      tier={tier}
      expires={formatUtc(expiresAt)}
      appUrl={ctx.env.appUrl}
      contact={contact}
    />
  );
}
