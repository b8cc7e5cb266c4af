import type { Contract } from "@/core/http/contract";
import { listAlertsContract } from "@/features/alerts/contracts.schema";
import { changesContract } from "@/features/changes/schema";
import {
  historyContract,
  listTrackedContract,
  trackContract,
  trackedContract,
  untrackContract,
} from "@/features/creators/contracts.schema";
import { discoverContract } from "@/features/discovery/schema";
import {
  clearEmailContract,
  getEmailContract,
  setEmailContract,
} from "@/features/notifications/addresses.schema";
import { usageContract } from "@/features/usage/schema";

/** Every endpoint that needs a key, in the order of the documentation. */
export const CONTRACTS: readonly Contract[] = [
  discoverContract,
  trackContract,
  listTrackedContract,
  trackedContract,
  historyContract,
  untrackContract,
  setEmailContract,
  getEmailContract,
  clearEmailContract,
  listAlertsContract,
  changesContract,
  usageContract,
];
