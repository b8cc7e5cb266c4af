import { listAlertsContract } from "@/features/alerts/contracts.schema";
import { queryAlerts } from "@/features/alerts/list.service";
import { changesContract } from "@/features/changes/schema";
import { listChanges } from "@/features/changes/service";
import {
  historyContract,
  listTrackedContract,
  trackContract,
  untrackContract,
} from "@/features/creators/contracts.schema";
import { queryHistory } from "@/features/creators/history.service";
import { findTrackedId } from "@/features/creators/rows.service";
import { listTracked, trackCreator, trackCreators, untrackCreator } from "@/features/creators/service";
import { discoverContract } from "@/features/discovery/schema";
import { discover } from "@/features/discovery/service";
import { usageContract } from "@/features/usage/schema";
import { getUsage } from "@/features/usage/service";
import { defineEndpoint } from "./rest";

// The endpoints that are served twice: by their route files and as tools of MCP.

export const discoverEndpoint = defineEndpoint(discoverContract, ({ ctx, key, query }) =>
  discover(ctx, key, query),
);

export const trackEndpoint = defineEndpoint(
  trackContract,
  async ({ ctx, key, body: { channel_id, channel_ids = [] } }) => {
    if (!channel_id) return trackCreators(ctx, key.id, channel_ids);
    const creator = await trackCreator(ctx, key.id, channel_id);
    return { message: `Now tracking ${creator.name}`, creator };
  },
);

export const listTrackedEndpoint = defineEndpoint(listTrackedContract, ({ ctx, key, query }) =>
  listTracked(ctx, key.id, query),
);

export const untrackEndpoint = defineEndpoint(untrackContract, async ({ ctx, key, params }) => {
  const channel_id = await findTrackedId(ctx, key.id, params.channel_id);
  await untrackCreator(ctx, key.id, channel_id);
  return { message: "Tracking stopped. Alerts stay.", channel_id };
});

export const historyEndpoint = defineEndpoint(historyContract, async ({ ctx, key, params, query }) =>
  queryHistory(ctx, key.id, await findTrackedId(ctx, key.id, params.channel_id), query),
);

export const alertsEndpoint = defineEndpoint(listAlertsContract, ({ ctx, key, query }) =>
  queryAlerts(ctx, key.id, query),
);

export const changesEndpoint = defineEndpoint(changesContract, ({ ctx, key, query }) =>
  listChanges(ctx, key.id, query),
);

export const usageEndpoint = defineEndpoint(usageContract, ({ ctx, key, usedToday }) =>
  getUsage(ctx, key, usedToday),
);
