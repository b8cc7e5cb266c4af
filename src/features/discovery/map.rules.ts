import { toNicheIdentity } from "./niches.rules";

/** The map of niches: common topics, each wide enough for weekly videos by creators of any size. */
export const NICHE_MAP = [
  { name: "Games & fun", niches: ["gaming", "esports", "chess", "animation", "comedy"] },
  { name: "Technology", niches: ["technology", "programming", "artificial intelligence", "robotics", "cybersecurity"] },
  { name: "Learning", niches: ["science", "education", "history", "books", "astronomy"] },
  { name: "Money", niches: ["finance", "personal finance", "investing", "business", "real estate"] },
  { name: "Health & sport", niches: ["fitness", "health", "yoga", "sports", "football"] },
  { name: "Food & home", niches: ["cooking", "baking", "gardening", "diy", "woodworking"] },
  { name: "Style & family", niches: ["beauty", "fashion", "skincare", "parenting", "pets"] },
  { name: "Arts & travel", niches: ["music", "photography", "film making", "travel", "cars"] },
] as const;

const SPELLINGS = new Map<string, string>(
  NICHE_MAP.flatMap(({ niches }) => niches).map((niche) => [toNicheIdentity(niche), niche]),
);

/** The identities of the map's niches, in its order. */
export const MAP_NICHES: readonly string[] = [...SPELLINGS.keys()];

/** How the map spells a niche; undefined for a niche that is not on it. */
export function getMapSpelling(niche: string): string | undefined {
  return SPELLINGS.get(niche);
}
