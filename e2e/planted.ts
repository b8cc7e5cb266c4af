/** Settings with recognisable secrets. Their URLs do not respond. */
const NOWHERE = "http://127.0.0.1:9";

export const PLANTED = {
  SESSION_SECRET: "planted-session-secret-0123456789abcdef",
  METRICS_TOKEN: "planted-metrics-token-0123456789",
  UPSTASH_REDIS_REST_URL: NOWHERE,
  UPSTASH_REDIS_REST_TOKEN: "planted-redis-token-0123456789",
  YOUTUBE_API_KEY: "planted-youtube-key-0123456789",
  YOUTUBE_API_URL: `${NOWHERE}/youtube/v3`,
  RESEND_API_KEY: "re_planted_resend_key_0123456789",
  RESEND_BASE_URL: NOWHERE,
  RESEND_WEBHOOK_SECRET: "whsec_cGxhbnRlZC13ZWJob29rLXNlY3JldA==",
  ALERT_EMAIL_FROM: "growth@example.com",
  MONITORING_WEBHOOK_URL: `${NOWHERE}/services/planted-monitoring-secret`,
};

/** Must appear nowhere. */
export const PLANTED_SECRETS = [
  PLANTED.SESSION_SECRET,
  PLANTED.METRICS_TOKEN,
  PLANTED.UPSTASH_REDIS_REST_TOKEN,
  PLANTED.YOUTUBE_API_KEY,
  PLANTED.RESEND_API_KEY,
  PLANTED.RESEND_WEBHOOK_SECRET,
  "planted-monitoring-secret",
];

/** Marks a build made with the planted settings. */
export const PLANTED_BUILD = ".next/planted-secrets";
