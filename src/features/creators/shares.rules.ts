/** Days after which a link to an evidence card expires. */
export const SHARE_DAYS = [7, 30] as const;
export const MAX_SHARES = 100;
export const SHARING_OFF =
  "Links are off on this service: YouTube allows showing its data and our figures to others only with its consent.";
