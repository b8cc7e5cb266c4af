import { toastFailure } from "../../_client/toast";
import { trpc } from "../../_client/trpc";

/** Adds creators to a list or removes them from it. @param onRemoved called with the number of removed creators */
export function useListChange(onRemoved?: (removed: number) => void) {
  const utils = trpc.useUtils();
  const followUp = {
    onError: toastFailure,
    onSettled: () => Promise.all([utils.lists.invalidate(), utils.creators.tracked.invalidate()]),
  };
  const add = trpc.lists.add.useMutation(followUp);
  const remove = trpc.lists.remove.useMutation({ ...followUp, onSuccess: ({ changed }) => onRemoved?.(changed) });
  return { add, remove };
}
