import type { CauseProps } from "@emails/cause";
import { and, eq, sql } from "drizzle-orm";
import type { MonitoringPost } from "@/core/mail/monitoring";
import type { CoreContext } from "@/db/context";
import { alerts, apiKeys, channels, type deliveries, snapshots } from "@/db/schema";
import { formatVideoFacts, toAlertCause } from "@/features/alerts/cause.rules";
import { alertCauseSql } from "@/features/alerts/cause.service";
import { classifySeverity, LABEL_WORDS } from "@/features/alerts/rules";
import type { AlertCause } from "@/features/alerts/schema";
import type { MailContext } from "@/features/context";
import { toChannelUrl } from "@/features/creators/rules";
import {
  computeGrowthBounds,
  computeGrowthPercent,
  computeRoundingError,
  formatPercent,
} from "@/features/growth/rules";
import type { KeyId } from "@/features/keys/schema";
import { toPlainTitle } from "@/features/videos/rules";
import type { VideoPlatform } from "@/platform/port";
import { createMuteToken } from "./mutes.service";
import { createUnsubscribe } from "./suppressions.service";

export interface MessageContext extends MailContext {
  platform: Pick<VideoPlatform, "name">;
}

export type StoredMail = NonNullable<(typeof deliveries.$inferSelect)["mail"]>;

type LoadedAlert = Awaited<ReturnType<typeof loadAlert>>;

/** An alert with everything a mail or a post says about it. @throws Error when it no longer exists */
export async function loadAlert({ db }: CoreContext, alertId: string | null) {
  const { keyId, channelId, day, createdAt, subscribersBefore: before, subscribersAfter: after } = alerts;
  const { message, label, reason } = alerts;
  const readAt = sql<Date>`coalesce(${snapshots.readAt}, ${createdAt})`.mapWith(createdAt);
  const names = { name: channels.name, keyLabel: apiKeys.label };
  const [alert] = await db
    .select({ keyId, channelId, ...names, day, readAt, before, after, message, label, reason, cause: alertCauseSql })
    .from(alerts)
    .innerJoin(apiKeys, eq(apiKeys.id, alerts.keyId))
    .innerJoin(channels, eq(channels.id, alerts.channelId))
    .leftJoin(snapshots, and(eq(snapshots.channelId, alerts.channelId), eq(snapshots.day, alerts.day)))
    .where(sql`${alerts.id} = ${alertId}`);
  if (!alert) throw new Error(`alert ${alertId} does not exist`);
  const outlook = alert.label && alert.reason ? { word: LABEL_WORDS[alert.label], reason: alert.reason } : null;
  // The alert's own key, which was valid when the alert was created.
  return { ...alert, keyId: alert.keyId as KeyId, outlook, cause: toAlertCause(alert.cause) };
}

/** The post about an alert for the monitoring channel. */
export function toPost(alert: LoadedAlert): MonitoringPost {
  const { message, keyLabel, outlook } = alert;
  const { severity, color } = classifySeverity(alert.before, alert.after);
  const channelUrl = toChannelUrl(alert.channelId);
  const cause = alert.cause.kind === "pending" ? null : alert.cause.text;
  const outlookText = outlook && `${outlook.word}. ${outlook.reason}`;
  return { message, severity, color, channelUrl, keyLabel, outlook: outlookText, cause };
}

/** A rendered mail as its delivery stores it. */
export function toStoredMail({ mailer }: MailContext, mail: Omit<StoredMail, "from">): StoredMail {
  return { ...mail, ...(mailer.from && { from: mailer.from }) };
}

/** What a mail says of a cause; null while nothing is known. */
export function toCauseProps({ kind, text, videos, read_at }: AlertCause): CauseProps | null {
  if (kind === "pending") return null;
  const shown = videos.map((video) => ({
    title: toPlainTitle(video.title ?? ""),
    url: video.url,
    thumbnailUrl: video.thumbnail_url,
    facts: formatVideoFacts(video, read_at),
  }));
  return { text, videos: shown };
}

/** The mail about an alert, as its delivery stores it: subject, html, text, headers and sender. */
export async function renderAlertMail(ctx: MessageContext, alert: LoadedAlert, to: string): Promise<StoredMail> {
  const { unsubscribeUrl, headers } = createUnsubscribe(ctx, alert.keyId, to);
  const { severity, color, meaning } = classifySeverity(alert.before, alert.after);
  const { low, high } = computeGrowthBounds(alert.before, alert.after);
  const isRounded = computeRoundingError(Math.max(alert.before, alert.after)) > 0;
  // Loaded with the first mail, because most processes send none.
  const { renderGrowthAlert } = await import("@emails/growth-alert");
  const rendered = await renderGrowthAlert({
    creatorName: alert.name,
    channelUrl: toChannelUrl(alert.channelId),
    percent: formatPercent(computeGrowthPercent(alert.before, alert.after) ?? 0),
    severity,
    color,
    meaning,
    before: alert.before,
    after: alert.after,
    day: alert.day,
    outlook: alert.outlook,
    cause: toCauseProps(alert.cause),
    bounds: isRounded ? { low: formatPercent(low), high: formatPercent(high) } : null,
    keyLabel: alert.keyLabel,
    creatorUrl: `${ctx.appUrl}/creators/${alert.channelId}`,
    unsubscribeUrl,
    muteUrl: `${ctx.appUrl}/mute?token=${createMuteToken(ctx, alert.keyId, alert.channelId)}`,
    consoleUrl: `${ctx.appUrl}/overview`,
    sampleData: ctx.platform.name === "sample",
    readAt: alert.readAt.toISOString(),
  });
  return toStoredMail(ctx, { ...rendered, headers });
}
