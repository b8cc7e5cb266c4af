/** Splits a list into chunks of at most `size`. */
export function toChunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}

/** Runs work once for all callers that come while it runs. @param work gets the object that the callers share */
export function shareWork<Shared extends object, Result>(work: (shared: Shared) => Promise<Result>) {
  const running = new WeakMap<Shared, Promise<Result>>();
  return (shared: Shared): Promise<Result> => {
    const joined = running.get(shared);
    if (joined) return joined;
    const begun = work(shared).finally(() => running.delete(shared));
    running.set(shared, begun);
    return begun;
  };
}
