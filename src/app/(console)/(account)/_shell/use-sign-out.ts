import { trpc } from "../../_client/trpc";
import { forgetVisits } from "../overview/visits";

/** Where the browser keeps the niche last searched for. */
export const NICHE = "niche";

/** Signs out, forgets what the browser remembers of the key, and leads to the sign-in page. */
export function useSignOut() {
  return trpc.sessions.signOut.useMutation({ onSuccess: leave });
}

/** The same for every session of the key. */
export function useEndSessions() {
  return trpc.sessions.endAll.useMutation({ onSuccess: leave });
}

function leave(): void {
  forgetVisits();
  localStorage.removeItem(NICHE);
  location.assign("/sign-in");
}
