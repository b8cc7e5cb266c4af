"use client";

import { formatCount } from "@/core/format";
import { trpc } from "../../_client/trpc";

/** What searching and tracking cost. */
export function CostNote() {
  const { data: usage } = trpc.usage.today.useQuery();
  return (
    <>
      Searching and tracking each use 1 of {usage ? `your ${formatCount(usage.requests_limit)}` : "your"}{" "}
      daily requests. Sorting and filtering are free.
    </>
  );
}
