/** The one spelling under which a niche is kept: NFC, no space around it, single spaces inside, lower case. */
export function normaliseNiche(niche: string): string {
  return niche.normalize("NFC").trim().replace(/\s+/g, " ").toLowerCase();
}
