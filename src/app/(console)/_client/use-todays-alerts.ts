"use client";

import { systemClock, toUtcDay } from "@/core/time";
import { SHOWN } from "./todays-alerts";
import { trpc } from "./trpc";

/** The latest alerts of the UTC day and their total, shared by several components. */
export function useTodaysAlerts() {
  return trpc.alerts.list.useQuery({ day: toUtcDay(systemClock.now()), limit: SHOWN });
}
