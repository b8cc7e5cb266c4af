import { OperatorError } from "@/core/errors";
import { toDate } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { listTracked } from "@/features/creators/rows.service";
import type { KeyRecord } from "@/features/keys/service";
import * as keys from "@/features/keys/service";
import { getEmailSetting } from "@/features/notifications/addresses.service";
import { listKeyReports, listSuppressions } from "@/features/notifications/report.service";
import { listRequests } from "@/features/usage/request-log.service";
import { formatFacts, formatMinute, formatTable } from "../table";
import { formatKeyTable, toJson } from "./shown";

const REQUESTS = 10;
const CREATORS = 10;
const DELIVERIES = 20;

/**
 * Reads what an operator needs to answer a customer: address, creators, last requests and deliveries.
 * @param name the key's id, or a label that it alone has
 */
export async function readDetails(ctx: CoreContext, name: string) {
  const record = await findByName(ctx, name);
  const { creators, alerts } = await keys.countKeyData(ctx, record.id);
  const { requests } = await listRequests(ctx, record.id, { limit: REQUESTS });
  const { creators: newest } = await listTracked(ctx, record.id, { offset: 0, limit: CREATORS });
  return {
    record,
    address: await getEmailSetting(ctx, record.id),
    creators,
    alerts,
    tracked: newest.map(({ channel_id, name, status }) => ({ channel_id, name, status })),
    requests,
    deliveries: await listKeyReports(ctx, record.id, DELIVERIES),
    suppressed: await listSuppressions(ctx, record.id),
  };
}

async function findByName(ctx: CoreContext, name: string): Promise<KeyRecord> {
  const [labelled, ...others] = (await keys.listKeys(ctx)).filter(({ label }) => label === name);
  if (!labelled) return keys.findKey(ctx, name);
  if (others.length === 0) return labelled;
  const ids = [labelled, ...others].map(({ id }) => id);
  throw new OperatorError(`${ids.length} keys have the label "${name}". Give an id: ${ids.join(", ")}`);
}

type Details = Awaited<ReturnType<typeof readDetails>>;

export function toDetailsJson({ record, ...details }: Details) {
  return { ...toJson(record), ...details };
}

export function formatDetails({ record, address, creators, alerts, ...listed }: Details): string {
  const { email, delivery, delivery_hint: hint } = address;
  const facts = {
    address: email ?? "none",
    "state of the address": delivery ?? "no address is set",
    ...(hint && { "what the customer reads": hint }),
    "tracked creators": creators,
    alerts,
  };
  const tracked = listed.tracked.map(({ channel_id, name, status }) => [channel_id, name, status]);
  const requests = listed.requests.map(({ at, method, path, status, milliseconds }) => [
    formatMinute(toDate(at)),
    `${method} ${path}`,
    status,
    Math.round(milliseconds),
  ]);
  const deliveries = listed.deliveries.map(({ day, subject, destination, outcome, reason }) => [
    day,
    subject,
    destination,
    outcome,
    reason ?? "",
  ]);
  const suppressed = listed.suppressed.map(({ email, reason, since }) => [email, reason, formatMinute(toDate(since))]);
  return [
    formatKeyTable([record]),
    formatFacts(facts),
    `\nLast ${CREATORS} tracked\n${formatTable(["channel", "name", "status"], tracked)}`,
    `\nLast ${REQUESTS} requests\n${formatTable(["time (UTC)", "request", "status", "ms"], requests)}`,
    `\nLast ${DELIVERIES} deliveries\n${formatTable(["day", "about", "to", "outcome", "reason"], deliveries)}`,
    `\nAddresses that get no emails\n${formatTable(["address", "reason", "since (UTC)"], suppressed)}`,
  ].join("\n");
}
