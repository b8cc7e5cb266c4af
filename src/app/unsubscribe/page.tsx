import { readLinkAddress } from "@/features/notifications/suppressions.service";
import { getAppContext } from "@/server/context";
import { buildLinkMetadata, createLinkPage } from "../link-page";

export const metadata = buildLinkMetadata("Unsubscribe");

export default createLinkPage({
  title: "Unsubscribe?",
  action: "/api/unsubscribe",
  label: "Unsubscribe",
  done: { title: "Unsubscribed", text: "This address gets no more emails from this API key." },
  find: (token) => readLinkAddress(getAppContext(), "unsubscribe", token),
  describe: (address) => (
    <>
      <strong>{address}</strong> will get no more emails from this API key.
    </>
  ),
});
