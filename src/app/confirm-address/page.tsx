import { readLinkAddress } from "@/features/notifications/suppressions.service";
import { getAppContext } from "@/server/context";
import { buildLinkMetadata, createLinkPage } from "../link-page";

export const metadata = buildLinkMetadata("Confirm address");

export default createLinkPage({
  title: "Receive growth alerts?",
  action: "/api/confirm-address",
  label: "Receive growth alerts",
  done: { title: "Confirmed", text: "This address gets growth alerts from now on." },
  find: (token) => readLinkAddress(getAppContext(), "confirm-address", token),
  describe: (address) => (
    <>
      <strong>{address}</strong> will get an email when a creator tracked by this API key grows more than 10% in one
      day.
    </>
  ),
});
