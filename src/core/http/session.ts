import { createHmac } from "node:crypto";
import { sealData, unsealData } from "iron-session";
import { z } from "zod";

/** What a session's cookie holds, encrypted: which session of which key, and since when. Never the key itself. */
export const Session = z.object({
  id: z.uuid(),
  keyId: z.string(),
  /** Of the key's secret at sign-in: another one ends the session. */
  stamp: z.string(),
  /** Milliseconds since the epoch. */
  begunAt: z.int(),
  /** When the cookie was last renewed. */
  seenAt: z.int(),
});
export type Session = z.output<typeof Session>;

/** Encrypts sessions, so that a reader's browser can keep them without reading or changing them. */
export interface SessionSealer {
  seal(session: Session): Promise<string>;
  /** The session that was sealed; null for anything that this service has not sealed. */
  open(sealed: string): Promise<Session | null>;
}

/** @param secret of the service, from which a password for this purpose alone is derived */
export function createSessionSealer(secret: string): SessionSealer {
  const password = createHmac("sha256", secret).update("console-session").digest("base64url");
  // How long a session lasts is judged by the injected clock, not by the seal: ttl 0.
  const options = { password, ttl: 0 };
  return {
    seal: (session) => sealData(session, options),
    async open(sealed) {
      // The library reads as the version whatever stands behind the last sign, so that one session had many names.
      if (!/^[^~]+~2$/.test(sealed)) return null;
      const { success, data } = Session.safeParse(await unsealData(sealed, options).catch(() => null));
      return success ? data : null;
    },
  };
}
