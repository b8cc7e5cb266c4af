import { trpc } from "../../_client/trpc";
import { forgetVisits } from "../overview/visits";

/** Where the browser keeps the niche last searched for. */
export const NICHE = "niche";

/** Ends the session, and leaves the console. */
export function useSignOut() {
  return trpc.sessions.signOut.useMutation({ onSuccess: leaveConsole });
}

/** Forgets what the browser remembers of the key, and leads to the sign-in page. */
export function leaveConsole(): void {
  forgetVisits();
  localStorage.removeItem(NICHE);
  location.assign("/sign-in");
}
