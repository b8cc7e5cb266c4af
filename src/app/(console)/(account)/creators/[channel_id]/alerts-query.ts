/** The maximum page size of alerts. */
const MOST = 100;

/** The query for a creator's alerts. The server prefetches it, so this is no client module. */
export const alertsOf = (channelId: string) => ({ channel_id: channelId, limit: MOST });
