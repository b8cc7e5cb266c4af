"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { parseInput } from "@/features/creators/list.rules";
import type { LookupAllowance, PreviewAnswer } from "@/features/creators/schema";
import { markTracked } from "../../_client/discovered";
import { toFailure } from "../../_client/failure";
import { trpc } from "../../_client/trpc";
import { useFollowUp } from "../_tracking/use-tracking";
import { saveForSignIn } from "./initial-text";

/** The limit of both procedures. */
export const CHANNELS_PER_REQUEST = 50;

export type Preview = PreviewAnswer["results"][number];
/** Why a channel is not tracked; null when it is. */
export type Outcomes = ReadonlyMap<string, string | null>;
export type Adding = ReturnType<typeof useAdding>;

/** Previews and tracks channels, fifty at a time. Results stay when a later part fails. */
export function useAdding() {
  const { client } = trpc.useUtils();
  const queryClient = useQueryClient();
  const followUp = useFollowUp();
  const [previews, setPreviews] = useState<ReadonlyMap<string, Preview>>(new Map());
  const [allowance, setAllowance] = useState<LookupAllowance | null>(null);
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map());
  const onError = (error: unknown, { text }: { text: string }) => {
    if (toFailure(error).code === "UNAUTHORIZED") saveForSignIn(text);
  };
  const previewing = useMutation({
    mutationFn: async ({ text }: { text: string }) => {
      for (const channels of splitIntoParts(listUnknownNames(text, previews))) {
        const answer = await client.creators.preview.mutate({ channels });
        setPreviews((known) => addResults(known, channels, answer.results));
        setAllowance(answer);
      }
    },
    onError,
  });
  const tracking = useMutation({
    mutationFn: async ({ ids }: { ids: readonly string[]; text: string }) => {
      for (const channel_ids of splitIntoParts(ids)) {
        const { results } = await client.creators.trackMany.mutate({ channel_ids });
        const reasons = results.map((result) => ("error" in result ? result.error : null));
        setOutcomes((known) => addResults(known, channel_ids, reasons));
        const tracked = channel_ids.filter((_, index) => reasons[index] === null);
        markTracked(queryClient, tracked, true);
      }
    },
    onError,
    onSettled: followUp,
  });
  return {
    previews,
    allowance,
    outcomes,
    previewing,
    tracking,
    /** Looks up the channels of a text that are not known yet. */
    preview: (text: string) => previewing.isPending || previewing.mutate({ text }),
    track: (ids: readonly string[], text: string) => tracking.mutate({ ids, text }),
  };
}

/** The names in a text without a preview. */
function listUnknownNames(text: string, previews: ReadonlyMap<string, Preview>): string[] {
  const recognised = parseInput(text);
  if (recognised.kind === "niche") return [];
  const names = recognised.entries.flatMap((entry) => ("name" in entry ? [entry.name] : []));
  return names.filter((name) => {
    const preview = previews.get(name);
    return !preview || "error" in preview;
  });
}

function splitIntoParts(items: readonly string[]): string[][] {
  const count = Math.ceil(items.length / CHANNELS_PER_REQUEST);
  return Array.from({ length: count }, (_, part) =>
    items.slice(part * CHANNELS_PER_REQUEST, (part + 1) * CHANNELS_PER_REQUEST),
  );
}

function addResults<T>(known: ReadonlyMap<string, T>, names: readonly string[], results: readonly T[]) {
  const pairs = results.flatMap((result, index): [string, T][] => {
    const name = names[index];
    return name === undefined ? [] : [[name, result]];
  });
  return new Map([...known, ...pairs]);
}
