import { formatDay, formatMonth, formatQuantity } from "@/core/format";
import { addDays, type Day } from "@/core/time";
import type { InboxAlert } from "@/features/alerts/inbox.service";

/** Alerts that are shown under one heading. */
export interface AlertDays {
  /** `Today, 26 Nov`, `Earlier in November`, `October` or `October 2025`. */
  title: string;
  alerts: InboxAlert[];
}

/** Groups alerts by day for today and yesterday, and by month before. @param alerts newest first */
export function groupByDay(alerts: readonly InboxAlert[], today: Day): AlertDays[] {
  const groups: AlertDays[] = [];
  for (const alert of alerts) {
    const title = formatTitle(alert.day, today);
    const group = groups.find((known) => known.title === title);
    if (group) group.alerts.push(alert);
    else groups.push({ title, alerts: [alert] });
  }
  return groups;
}

function formatTitle(day: Day, today: Day): string {
  if (day === today) return `Today, ${formatDay(day)}`;
  if (day === addDays(today, -1)) return `Yesterday, ${formatDay(day)}`;
  const [month = "", year] = formatMonth(day).split(" ");
  if (day.slice(0, 7) === today.slice(0, 7)) return `Earlier in ${month}`;
  return year === today.slice(0, 4) ? month : `${month} ${year}`;
}

/** `2 alerts, both unread`. */
export function formatContent(alerts: readonly InboxAlert[]): string {
  const unread = alerts.filter(({ is_read }) => !is_read).length;
  const all = formatQuantity(alerts.length, "alert");
  if (unread === 0) return all;
  if (unread < alerts.length) return `${all}, ${unread} unread`;
  return `${all}, ${["", "unread", "both unread"][unread] ?? "all unread"}`;
}
