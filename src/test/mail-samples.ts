import type { CauseProps } from "@emails/cause";
import type { ConfirmAddressProps } from "@emails/confirm-address";
import type { GrowthAlertProps } from "@emails/growth-alert";
import type { KeyLinkProps } from "@emails/key-link";
import type { KeyRequestProps } from "@emails/key-request";
import type { TestMailProps } from "@emails/test-mail";
import type { WeeklyDigestProps } from "@emails/weekly-digest";

const CAUSE: CauseProps = {
  text: "Likely from “We fired a kiln with driftwood for 50 hours”: 1.20M views in 31 hours, 24 times its usual.",
  videos: [
    {
      title: "We fired a kiln with driftwood for 50 hours",
      url: "https://www.youtube.com/watch?v=abcdefghijk",
      thumbnailUrl: "https://i.ytimg.com/vi/abcdefghijk/mqdefault.jpg",
      facts: "1.20M views in 31 hours, 24 times its usual",
    },
  ],
};

export const GROWTH_ALERT: GrowthAlertProps = {
  creatorName: "Pixel Foundry",
  channelUrl: "https://www.youtube.com/channel/UCpixelfoundry0000000000",
  creatorUrl: "https://growth.example.com/creators/UCpixelfoundry0000000000",
  percent: "61.2",
  severity: "EXPLOSIVE",
  color: "#ff3366",
  meaning: "Massive spike",
  before: 184_000,
  after: 296_600,
  day: "2026-10-21",
  bounds: { low: "60.3", high: "62.1" },
  outlook: {
    word: "Sustained",
    reason: "It was growing 12.4% a week before this jump.",
  },
  cause: CAUSE,
  keyLabel: "Scouting",
  unsubscribeUrl: "https://growth.example.com/unsubscribe?token=preview",
  muteUrl: "https://growth.example.com/mute?token=preview",
  consoleUrl: "https://growth.example.com/console",
  sampleData: false,
  readAt: "2026-10-21T06:02:11.000Z",
};

export const WEEKLY_DIGEST: WeeklyDigestProps = {
  firstDay: "2026-10-19",
  lastDay: "2026-10-26",
  movers: [
    { name: "Hexwood", percent: "74.1", range: { low: "73.5", high: "74.7" }, score: 71, level: "Rising" },
    { name: "Ramen & Rails", percent: "12.5", range: null, score: 58, level: "Rising" },
  ],
  severities: [
    { severity: "EXPLOSIVE", color: "#ff3366", count: 1 },
    { severity: "RISING FAST", color: "#a855f7", count: 2 },
    { severity: "WATCH", color: "#22d3ee", count: 4 },
  ],
  strongest: "Hexwood grew 61.2% in one day (184,000 → 296,600)",
  cause: CAUSE,
  outcomes: { held: 3, faded: 1, unclear: 1 },
  keyLabel: "Scouting",
  unsubscribeUrl: "https://growth.example.com/unsubscribe?token=preview",
  consoleUrl: "https://growth.example.com/console",
  sampleData: false,
};

export const CONFIRM_ADDRESS: ConfirmAddressProps = {
  address: "scout@agency.example",
  keyLabel: "Scouting",
  confirmUrl: "https://growth.example.com/confirm-address?token=preview",
  consoleUrl: "https://growth.example.com/console",
};

export const TEST_MAIL: TestMailProps = {
  unsubscribeUrl: "https://growth.example.com/unsubscribe?token=preview",
  consoleUrl: "https://growth.example.com/console",
};

export const KEY_LINK: KeyLinkProps = {
  label: "Maya Okafor",
  tier: "starter",
  keyUrl: "https://growth.example.com/key/preview",
  expiresAt: "2026-11-28T22:40:00.000Z",
  consoleUrl: "https://growth.example.com/overview",
};

export const KEY_REQUEST: KeyRequestProps = {
  id: "req_5f2c81d09a3e",
  name: "Maya Okafor",
  email: "maya@agency.example",
  tier: "starter",
  purpose: "Scouting small cooking channels for a talent agency, about 200 creators.",
  consoleUrl: "https://growth.example.com/overview",
};
