import { z } from "zod";
import { PLAIN_TEXT, PLAIN_TEXT_FORM } from "@/core/config/text";
import { contract } from "@/core/http/contract";
import { wholeNumber } from "@/core/http/page";
import { Creator, EXAMPLE_CREATOR, GrowthDay } from "@/features/creators/schema";
import { ScoreParts } from "@/features/growth/schema";
import { normaliseNiche } from "./niches.rules";

const NICHE_LENGTH = "must have 1 to 100 characters";
const MAX_SUBSCRIBERS = 1_000_000_000;

export const DiscoverQuery = z
  .object({
    niche: z
      .string("is required: a topic category of 1 to 100 characters, such as gaming")
      .regex(PLAIN_TEXT, PLAIN_TEXT_FORM)
      .transform(normaliseNiche)
      .pipe(z.string().min(1, NICHE_LENGTH).max(100, NICHE_LENGTH))
      .meta({
        description: "A topic category. Case, spaces, hyphens and the plural make no difference",
        minLength: 1,
        maxLength: 100,
      }),
    limit: wholeNumber(1, 50).default(20).describe("Most creators to return"),
    min_subscribers: wholeNumber(0, MAX_SUBSCRIBERS).optional().describe("Leave out smaller channels"),
    max_subscribers: wholeNumber(0, MAX_SUBSCRIBERS).optional().describe("Leave out larger channels"),
  })
  .refine(({ min_subscribers: min, max_subscribers: max }) => !(Number(min) > Number(max)), {
    path: ["min_subscribers"],
    message: "must not be greater than max_subscribers",
  });
export type DiscoverQuery = z.output<typeof DiscoverQuery>;

export const Discovery = z.object({
  niche: z.string().describe("The niche of this answer; a hint says when it is a similar one"),
  as_of: z.iso.datetime().describe("When the niche's creators were last looked up"),
  creators: z.array(Creator).describe("Best score first"),
  hint: z
    .string()
    .optional()
    .describe("Says that a similar niche was answered, or suggests another spelling"),
});
export type Discovery = z.output<typeof Discovery>;

/** Discovery for the console: with the parts of each score and whether the key tracks the creator. */
export const ExplainedDiscovery = Discovery.extend({
  creators: z.array(
    Creator.extend({
      growth_day: GrowthDay,
      score_parts: ScoreParts.nullable().describe("Null before growth is measured"),
      is_tracked: z.boolean(),
    }),
  ),
});
export type ExplainedDiscovery = z.output<typeof ExplainedDiscovery>;

export const discoverContract = contract({
  method: "GET",
  path: "/api/discover",
  id: "discoverCreators",
  tag: "Discovery",
  summary: "Creators of a niche, best score first",
  description:
    "Answered from an index that is renewed at most once a day; `as_of` says when. Always costs one request.",
  query: DiscoverQuery,
  answer: Discovery,
  example: {
    query: { niche: "gaming", limit: 5 },
    answer: { niche: "gaming", as_of: "2026-11-19T08:30:12.407Z", creators: [EXAMPLE_CREATOR] },
  },
});
