"use client";

import { Button } from "@mantine/core";
import { useState } from "react";
import type { TrackedQuery } from "@/features/creators/table.schema";
import { toast } from "../../_client/toast";
import { trpc } from "../../_client/trpc";

/** Saves all creators that match the filters as a CSV file. */
export function OverviewCsv({ query }: { query: TrackedQuery }) {
  const { client } = trpc.useUtils();
  const [isSaving, setIsSaving] = useState(false);
  const save = async () => {
    setIsSaving(true);
    try {
      // Loaded when first pressed.
      const { saveFound } = await import("./overview-csv");
      await saveFound(query, (page) => client.creators.tracked.query(page));
    } catch {
      void toast("The file could not be saved. Try again.", "failed");
    } finally {
      setIsSaving(false);
    }
  };
  return (
    <Button variant="default" size="xs" loading={isSaving} onClick={save}>
      CSV<span className="visually-hidden"> of all these</span>
    </Button>
  );
}
