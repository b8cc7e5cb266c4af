"use client";

import { systemClock, utcDay } from "@/core/time";
import { SHOWN } from "./todays-alerts";
import { trpc } from "./trpc";

/** The latest alerts of the UTC day and how many there are: asked for once, shown in several places. */
export function useTodaysAlerts() {
  return trpc.alerts.list.useQuery({ day: utcDay(systemClock.now()), limit: SHOWN });
}
