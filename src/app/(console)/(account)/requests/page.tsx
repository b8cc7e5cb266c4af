import type { Metadata } from "next";
import { formatQuantity } from "@/core/format";
import { KEPT_DAYS } from "@/features/usage/request-log.rules";
import { CONTRACTS } from "@/server/api/endpoints";
import { getAppContext } from "@/server/context";
import { createPrefetchHelpers, Prefetched, readUrlState, requireKey, type SearchParams } from "../../_server/page";
import { PageHeader } from "../../_ui/page-header";
import { RequestLog } from "./request-log";
import { DEFAULTS, toRequestFilter } from "./request-query";

export const metadata: Metadata = { title: "Requests" };

/** Sample bodies by endpoint: the fields of its example, with their names as placeholders. */
const BODY_FORMS = Object.fromEntries(
  CONTRACTS.flatMap(({ method, path, example: { body } }) => {
    if (!body) return [];
    const form = Object.fromEntries(Object.keys(body).map((name) => [name, `<${name}>`]));
    return [[`${method} ${path}`, JSON.stringify(form)]];
  }),
);

export default async function RequestsPage({ searchParams }: { searchParams: SearchParams }) {
  const key = await requireKey();
  const helpers = createPrefetchHelpers(key);
  await helpers.requests.list.prefetch(toRequestFilter(readUrlState(await searchParams, DEFAULTS)));
  const days = formatQuantity(KEPT_DAYS, "day");
  return (
    <Prefetched keyId={key.id} helpers={helpers}>
      <PageHeader
        title="Requests"
        lead={`API requests of the last ${days}, without keys and bodies. Actions in the console are not listed.`}
      />
      <RequestLog site={{ appUrl: getAppContext().env.appUrl, bodies: BODY_FORMS }} />
    </Prefetched>
  );
}
