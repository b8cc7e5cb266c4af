import { useSearchParams } from "next/navigation";
import { useCallback } from "react";

type Change<State> = (change: Partial<State>, how?: "push" | "replace") => void;

/**
 * State in the URL, so it can be shared, bookmarked and undone with Back. Defaults are left out. `replace` adds no
 * history entry, for changes while typing.
 */
export function useUrlState<State extends Record<string, string>>(defaults: State): [State, Change<State>] {
  const search = useSearchParams();
  const given = Object.entries(defaults).map(([name, usual]) => [name, search.get(name) ?? usual]);
  const state = Object.fromEntries(given) as State;
  const change = useCallback<Change<State>>(
    (changed, how = "push") => {
      // Read again: it may have changed since the last render.
      const next = new URLSearchParams(location.search);
      for (const [name, value] of Object.entries(changed))
        if (value === undefined || value === defaults[name]) next.delete(name);
        else next.set(name, value);
      const query = next.size > 0 ? `?${next}` : "";
      history[`${how}State`](null, "", `${location.pathname}${query}`);
    },
    [defaults],
  );
  return [state, change];
}
