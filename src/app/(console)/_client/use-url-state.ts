"use client";

import { useSearchParams } from "next/navigation";
import { useCallback } from "react";

type Change<State> = (change: Partial<State>, how?: "push" | "replace") => void;

/**
 * State that lives in the address: it can be shared and bookmarked, and the back button undoes it. What equals its
 * default is left out. `replace` makes no entry in the history, for changes that come with each key stroke.
 */
export function useUrlState<State extends Record<string, string>>(defaults: State): [State, Change<State>] {
  const search = useSearchParams();
  const names = Object.keys(defaults);
  const given = names.map((name) => [name, search.get(name) ?? defaults[name]]);
  const state = Object.fromEntries(given) as State;
  const change = useCallback<Change<State>>(
    (changed, how = "push") => {
      // Read anew: it may have changed since this was rendered.
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
