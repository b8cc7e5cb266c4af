import { findCreatorToMute } from "@/features/notifications/mutes.service";
import { getAppContext } from "@/server/context";
import { buildLinkMetadata, createLinkPage } from "../link-page";

export const metadata = buildLinkMetadata("Mute a creator");

export default createLinkPage({
  title: "Mute this creator?",
  action: "/api/mute",
  label: "Mute",
  done: {
    title: "Muted",
    text: "Emails about this creator are muted. Alerts still appear in the console. To unmute it, open the settings.",
  },
  find: (token) => findCreatorToMute(getAppContext(), token),
  describe: (name) => (
    <>
      You get no more emails about <strong dir="auto">{name}</strong>. Its alerts still appear in the console.
    </>
  ),
});
