const MAX_ALERTS = 100;

/** The query for a creator's alerts. The server prefetches it, so this is no client module. */
export const buildAlertsQuery = (channelId: string) => ({ channel_id: channelId, limit: MAX_ALERTS });
