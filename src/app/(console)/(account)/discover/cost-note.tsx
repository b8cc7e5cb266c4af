"use client";

import { formatCount } from "@/ui/format";
import { trpc } from "../../_client/trpc";

/** What searching and tracking cost, and what is left. */
export function CostNote() {
  const { data: usage } = trpc.usage.today.useQuery();
  return (
    <>
      Each search counts 1 of {usage ? `your ${formatCount(usage.requests_limit)}` : "your"} requests a day,
      as it does by the API, and so does tracking a creator.
    </>
  );
}
