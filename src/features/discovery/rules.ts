/** The one spelling under which a niche is kept: no space around it, single spaces inside, lower case. */
export function normaliseNiche(niche: string): string {
  return niche.trim().replace(/\s+/g, " ").toLowerCase();
}
