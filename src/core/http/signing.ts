import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

type LinkPurpose = "unsubscribe" | "confirm-address" | "mute";
export type LinkSigner = ReturnType<typeof createLinkSigner>;

/** Signs the links in mails. @param previous an older secret, whose links still work */
export function createLinkSigner(secret: string, previous: string | null = null) {
  const computeMac = (purpose: LinkPurpose, body: string, by = secret) =>
    createHmac("sha256", by).update(`${purpose}.${body}`).digest();
  return {
    sign(purpose: LinkPurpose, payload: readonly string[]): string {
      const body = Buffer.from(JSON.stringify(payload)).toString("base64url");
      return `${body}.${computeMac(purpose, body).toString("base64url")}`;
    },
    /** The payload of a token that this service signed; null for anything else. */
    verify(purpose: LinkPurpose, token: string): string[] | null {
      const [body = "", signature = "", ...rest] = token.split(".");
      const given = Buffer.from(signature, "base64url");
      const isSignedBy = (by: string) => {
        const expected = computeMac(purpose, body, by);
        return given.length === expected.length && timingSafeEqual(given, expected);
      };
      if (rest.length > 0 || !(isSignedBy(secret) || (previous !== null && isSignedBy(previous)))) return null;
      return JSON.parse(Buffer.from(body, "base64url").toString("utf8"));
    },
  };
}

/** The secret of a data folder, made on first use. */
export function loadOrCreateSecret(dataDir: string): string {
  const file = path.join(dataDir, "session-secret");
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    // Linked only when complete, so no reader sees half a file.
    const draft = `${file}.${randomBytes(6).toString("hex")}`;
    writeFileSync(draft, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flush: true });
    try {
      linkSync(draft, file);
    } catch (error) {
      if (!existsSync(file)) throw error;
    } finally {
      unlinkSync(draft);
    }
  }
  return readFileSync(file, "utf8").trim();
}
