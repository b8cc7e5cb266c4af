import { z } from "zod";
import { createChoiceSchema, createIntegerSchema, PLAIN_TEXT, PLAIN_TEXT_FORM } from "@/core/fields";
import { MAX_OFFSET, Pagination } from "@/core/http/page";
import { Creator } from "@/features/creators/schema";
import { normaliseNiche } from "./niches.rules";

const NICHE_LENGTH = "must have 1 to 100 characters";
const MAX_SUBSCRIBERS = 1_000_000_000;

/** An answer holds the niche's own creators, those of a similar niche, or none while the niche is queued. */
const NICHE_STATUSES = ["indexed", "related", "queued"] as const;
export const SORTS = ["score", "growth_7d", "subscribers"] as const;

export const DiscoverQuery = z
  .object({
    niche: z
      .string("is required: a topic category of 1 to 100 characters, such as gaming")
      .regex(PLAIN_TEXT, PLAIN_TEXT_FORM)
      .transform(normaliseNiche)
      .pipe(z.string().min(1, NICHE_LENGTH).max(100, NICHE_LENGTH))
      .meta({
        description: "A topic category. Case, spaces, hyphens and plurals make no difference",
        minLength: 1,
        maxLength: 100,
      }),
    offset: createIntegerSchema(0, MAX_OFFSET).default(0).describe("Number of creators to skip"),
    limit: createIntegerSchema(1, 50).default(20).describe("Maximum creators to return"),
    sort: createChoiceSchema(SORTS)
      .default("score")
      .describe("Highest first. Creators with measured growth come before those without"),
    rising: z
      .enum(["true", "false"], "must be true or false")
      .default("false")
      .transform((value) => value === "true")
      .describe("true: only creators with measured growth at WATCH or above"),
    country: z
      .string()
      .regex(/^[A-Za-z]{2}$/, "must be a country code of two letters, such as US")
      .transform((code) => code.toUpperCase())
      .optional()
      .describe("ISO 3166-1 alpha-2. Leaves out creators with another country or none"),
    min_subscribers: createIntegerSchema(0, MAX_SUBSCRIBERS)
      .optional()
      .describe("Leaves out smaller channels. At most `max_subscribers`"),
    max_subscribers: createIntegerSchema(0, MAX_SUBSCRIBERS)
      .optional()
      .describe("Leaves out larger channels. At least `min_subscribers`"),
  })
  .refine(({ min_subscribers: min, max_subscribers: max }) => !(Number(min) > Number(max)), {
    path: ["min_subscribers"],
    message: "must not exceed max_subscribers",
  });
export type DiscoverQuery = z.output<typeof DiscoverQuery>;

export const Discovery = z.object({
  niche: z.string().describe("The requested niche"),
  niche_status: z
    .enum(NICHE_STATUSES)
    .describe("indexed: the niche's own creators. related: those of `related_niche` for now. queued: none yet"),
  related_niche: z.string().nullable().describe("The similar niche shown instead; null unless related"),
  expected_at: z.iso.datetime().nullable().describe("When the niche's own creators are expected; null when indexed"),
  as_of: z.iso.datetime().nullable().describe("When the niche was last searched; null without creators"),
  hint: z.string().nullable().describe("What to do next, in one sentence"),
  pagination: Pagination,
  creators: z.array(Creator).describe("Best first"),
});
export type Discovery = z.output<typeof Discovery>;

export interface SuggestingDiscovery extends Discovery {
  /** The niche with creators that the hint suggests. */
  suggested_niche: string | null;
}

const NicheCount = z
  .object({
    niche: z.string().describe("Send it as `niche` to GET /api/discover"),
    creators: z.int().min(0).describe("Creators of the niche"),
    rising: z.int().min(0).describe("Creators that `rising=true` returns"),
  })
  .meta({ id: "NicheCount", description: "A niche with its creators" });

const NicheGroup = z
  .object({
    name: z.string().describe("Name of the group"),
    niches: z.array(NicheCount).describe("Niches with creators"),
  })
  .meta({ id: "NicheGroup", description: "A group of niches" });

/** The indexed niches of the map, in groups. */
export const NicheMap = z.object({ groups: z.array(NicheGroup).describe("Groups with creators, in a fixed order") });
export type NicheMap = z.output<typeof NicheMap>;
