import { EXAMPLE_CREATOR } from "@/features/creators/query.schema";
import { defineEndpoint, MAX_AGE } from "@/features/endpoint";
import { getNicheMap } from "./map.service";
import { DiscoverQuery, Discovery, NicheMap } from "./schema";
import { discover } from "./service";

export const discoveryEndpoints = [
  defineEndpoint(
    {
      method: "GET",
      path: "/api/discover",
      id: "discoverCreators",
      tag: "Discovery",
      summary: "Creators of a niche, best score first",
      description:
        "Reads an index that is refreshed at most once a day; `as_of` says when. A niche that cannot be searched now is " +
        "queued: see `niche_status` and `expected_at`. Until then you get a similar niche. Always counts 1 request.",
      query: DiscoverQuery,
      answer: Discovery,
      maxAge: MAX_AGE,
      example: {
        query: { niche: "gaming", limit: 5 },
        answer: {
          niche: "gaming",
          niche_status: "indexed",
          related_niche: null,
          expected_at: null,
          as_of: "2026-11-19T08:30:12.407Z",
          hint: null,
          pagination: { total: 17, offset: 0, limit: 5, has_more: true },
          creators: [EXAMPLE_CREATOR],
        },
      },
    },
    ({ ctx, key, query }) => discover(ctx, key, query),
  ),
  defineEndpoint(
    {
      method: "GET",
      path: "/api/niches",
      id: "listNiches",
      tag: "Discovery",
      summary: "The map of niches with their creators",
      description:
        "Common niches that the service has searched, in groups. `GET /api/discover` answers each at once; it takes any " +
        "other niche too.",
      answer: NicheMap,
      maxAge: MAX_AGE,
      example: {
        answer: { groups: [{ name: "Games & fun", niches: [{ niche: "gaming", creators: 17, rising: 3 }] }] },
      },
    },
    ({ ctx }) => getNicheMap(ctx),
  ),
];
