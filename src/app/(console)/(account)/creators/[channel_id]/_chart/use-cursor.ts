import { type KeyboardEvent, type PointerEvent, useState } from "react";
import type { Frame } from "./frame";

interface Cursor {
  index: number | null;
  /** Whether the keyboard moved it here, so that screen readers announce it. */
  isByKey: boolean;
}

const NOWHERE: Cursor = { index: null, isByKey: false };
const WEEK = 7;

/** The day that the pointer or the arrow keys are at. */
export function useCursor({ x }: Frame, days: number) {
  const [cursor, setCursor] = useState(NOWHERE);
  const last = days - 1;
  const index = cursor.index === null ? null : Math.min(cursor.index, last);
  return {
    index,
    isByKey: cursor.isByKey,
    handlers: {
      onPointerMove(event: PointerEvent<HTMLElement>) {
        const distance = event.clientX - event.currentTarget.getBoundingClientRect().left;
        const at = Math.floor(distance / x(1));
        setCursor({ index: Math.min(last, Math.max(0, at)), isByKey: false });
      },
      onPointerLeave: () => setCursor(NOWHERE),
      onBlur: () => setCursor(NOWHERE),
      onKeyDown(event: KeyboardEvent<HTMLElement>) {
        if (event.key === "Escape") return setCursor(NOWHERE);
        const next = getNextIndex(event.key, index, last);
        if (next === null) return;
        event.preventDefault();
        setCursor({ index: next, isByKey: true });
      },
    },
  };
}

/** Where a key moves the cursor to; null for other keys. The first key shows the last day. */
export function getNextIndex(key: string, index: number | null, last: number): number | null {
  if (key === "Home") return 0;
  if (key === "End") return last;
  const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -WEEK, PageDown: WEEK }[key];
  if (step === undefined) return null;
  return index === null ? last : Math.min(last, Math.max(0, index + step));
}
