import { createHmac } from "node:crypto";
import { sealData, unsealData } from "iron-session";
import { z } from "zod";

/** What a session's cookie holds, encrypted. */
export const Session = z.object({
  id: z.uuid(),
  keyId: z.string(),
  /** A new secret of the key ends the session. */
  stamp: z.string(),
  begunAt: z.int(),
  seenAt: z.int(),
  /** A session of the demo, which is read-only and stands in no table. */
  isDemo: z.literal(true).optional(),
});
export type Session = z.output<typeof Session>;

export type SessionSealer = ReturnType<typeof createSessionSealer>;

/** Seals sessions into cookies, and opens them; null for anything else. @param previous an older secret, still valid */
export function createSessionSealer(secret: string, previous: string | null = null) {
  const openBy = async (by: string, sealed: string) => {
    const { success, data } = Session.safeParse(await unsealData(sealed, createOptions(by)).catch(() => null));
    return success ? data : null;
  };
  return {
    seal: (session: Session) => sealData(session, createOptions(secret)),
    async open(sealed: string): Promise<Session | null> {
      // The library ignores what follows the version, so one session would have many cookies.
      if (!/^[^~]+~2$/.test(sealed)) return null;
      return (await openBy(secret, sealed)) ?? (previous === null ? null : openBy(previous, sealed));
    },
  };
}

function createOptions(secret: string) {
  const password = createHmac("sha256", secret).update("console-session").digest("base64url");
  // The injected clock decides how long a session lasts, not the seal.
  return { password, ttl: 0 };
}
