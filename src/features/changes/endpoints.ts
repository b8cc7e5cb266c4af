import { EXAMPLE_ALERT } from "@/features/alerts/query.schema";
import { EXAMPLE_CREATOR } from "@/features/creators/query.schema";
import { defineEndpoint } from "@/features/endpoint";
import { FEED_DAYS } from "./rules";
import { ChangePage, ChangesQuery } from "./schema";
import { listChanges } from "./service";

export const changesEndpoints = [
  defineEndpoint(
    {
      method: "GET",
      path: "/api/changes",
      id: "listChanges",
      tag: "Changes",
      summary: "What changed for your key, oldest first",
      description:
        "New alerts, their outcomes, creators that you tracked or untracked, and channels that became unavailable, available " +
        "again or got a new name. Send `next_after` as `after` to continue: you never miss or repeat a change. Changes stay " +
        `for ${FEED_DAYS} days: an older cursor returns 410 with \`oldest_after\`.`,
      query: ChangesQuery,
      answer: ChangePage,
      errors: [404, 410],
      example: {
        query: { limit: 100 },
        answer: {
          changes: [
            {
              type: "tracked",
              cursor: "MS5aRnB3cEZNNDJn",
              at: "2026-11-12T09:14:27.031Z",
              channel_id: EXAMPLE_CREATOR.channel_id,
              name: null,
              alert: null,
            },
            {
              type: "alert_created",
              cursor: "Mi5HTmd4bUVhSEx3",
              at: EXAMPLE_ALERT.created_at,
              channel_id: EXAMPLE_CREATOR.channel_id,
              name: null,
              alert: EXAMPLE_ALERT,
            },
          ],
          next_after: "Mi5HTmd4bUVhSEx3",
          has_more: false,
        },
      },
    },
    ({ ctx, key, query }) => listChanges(ctx, key.id, query),
  ),
];
