import { useMutation, useQueryClient } from "@tanstack/react-query";
import { startTransition, useState } from "react";
import { toChunks } from "@/core/parallel";
import type { LookupAllowance } from "@/features/creators/lookups.service";
import type { PreviewAnswer } from "@/features/creators/preview.service";
import { toFailure } from "../../_client/failure";
import { trpc } from "../../_client/trpc";
import { markTracked, useFollowUp } from "../_tracking/use-tracking";
import { saveForSignIn } from "./initial-text";

/** The limit of both procedures. */
export const CHANNELS_PER_REQUEST = 50;

export type Preview = PreviewAnswer["results"][number];
/** Why a channel is not tracked; null when it is. */
export type Outcomes = ReadonlyMap<string, string | null>;
/** Does what follows for channels that are now tracked. @returns what failed */
export type FollowUp = (channelIds: readonly string[]) => Promise<string | null>;
export type Adding = ReturnType<typeof useAdding>;

/** Previews and tracks the channels of a text, fifty at a time. Results stay when a later part fails. */
export function useAdding(text: string) {
  const { client } = trpc.useUtils();
  const queryClient = useQueryClient();
  const followUp = useFollowUp();
  const [previews, setPreviews] = useState<ReadonlyMap<string, Preview>>(new Map());
  const [allowance, setAllowance] = useState<LookupAllowance | null>(null);
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map());
  const onError = (error: unknown) => {
    if (toFailure(error).code === "UNAUTHORIZED") saveForSignIn(text);
  };
  const previewing = useMutation({
    mutationFn: async (names: readonly string[]) => {
      for (const channels of toChunks(names.filter(isUnknown), CHANNELS_PER_REQUEST)) {
        const answer = await client.creators.preview.mutate({ channels });
        // Long lists stay responsive meanwhile.
        startTransition(() => {
          setPreviews((known) => addResults(known, channels, answer.results));
          setAllowance(answer);
        });
      }
    },
    onError,
  });
  const tracking = useMutation({
    mutationFn: async ({ ids, after }: { ids: readonly string[]; after: FollowUp }) => {
      const tracked: string[] = [];
      for (const channel_ids of toChunks(ids, CHANNELS_PER_REQUEST)) {
        const { results } = await client.creators.trackMany.mutate({ channel_ids });
        const reasons = results.map((result) => result.error ?? null);
        startTransition(() => setOutcomes((known) => addResults(known, channel_ids, reasons)));
        tracked.push(...channel_ids.filter((_, index) => reasons[index] === null));
        markTracked(queryClient, tracked, true);
      }
      return after(tracked);
    },
    onError,
    onSettled: followUp,
  });
  /** What was not looked up, or could not be. */
  const isUnknown = (name: string) => {
    const preview = previews.get(name);
    return !preview || ("code" in preview && preview.code !== "not_found");
  };
  return {
    previews,
    allowance,
    outcomes,
    previewing,
    tracking,
    preview: (names: readonly string[]) => previewing.isPending || previewing.mutate(names),
    track: (ids: readonly string[], after: FollowUp) => tracking.mutate({ ids, after }),
  };
}

function addResults<T>(known: ReadonlyMap<string, T>, names: readonly string[], results: readonly T[]) {
  const pairs = results.flatMap((result, index): [string, T][] => {
    const name = names[index];
    return name === undefined ? [] : [[name, result]];
  });
  return new Map([...known, ...pairs]);
}
