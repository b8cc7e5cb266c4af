"use client";

import { systemClock, utcDay } from "@/core/time";
import { trpc } from "./trpc";

/** How many of the day's alerts the overview shows. */
export const SHOWN = 3;

/** The latest alerts of the UTC day and how many there are: asked for once, shown in several places. */
export function useTodaysAlerts() {
  return trpc.alerts.list.useQuery({ day: utcDay(systemClock.now()), limit: SHOWN });
}
