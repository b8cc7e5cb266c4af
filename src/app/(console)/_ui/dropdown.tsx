"use client";

import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import styles from "./dropdown.module.css";

/** Between the panel and its button, and the edges of the window. */
const GAP = 6;

interface DropdownProps {
  /** What the button says, and its accessible name where that differs. */
  text: ReactNode;
  label?: string;
  className?: string;
  button?: RefObject<HTMLButtonElement | null>;
  /** The name of the panel. */
  title: string;
  /** Rendered while it is open. */
  children: (close: () => void) => ReactNode;
}

/** A button that opens a panel above the page. Escape and a press elsewhere close it; then the button has the focus. */
export function Dropdown({ text, label, className = styles.button, button, title, children }: DropdownProps) {
  const id = useId();
  const own = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const opener = button ?? own;
  // It may have been opened before this ran.
  useEffect(() => setIsOpen(panel.current?.matches(":popover-open") ?? false), []);
  useEffect(() => {
    if (isOpen && opener.current && panel.current) return keepBeside(opener.current, panel.current);
  }, [isOpen, opener]);
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={className}
        aria-label={label}
        aria-expanded={isOpen}
        popoverTarget={id}
      >
        {text}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={title}
        className={styles.panel}
        onToggle={({ newState }) => setIsOpen(newState === "open")}
      >
        {isOpen && children(() => panel.current?.hidePopover())}
      </div>
    </>
  );
}

/** Keeps an open panel beside its button, also when its content has loaded. @returns a function that stops it */
function keepBeside(button: HTMLElement, panel: HTMLElement): () => void {
  const place = () => {
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const { width, height } = panel.getBoundingClientRect();
    const isBelow = bottom + GAP + height <= innerHeight || top < height + GAP;
    const isFitting = left + width + GAP <= document.documentElement.clientWidth;
    panel.style.left = `${isFitting ? left : Math.max(GAP, right - width)}px`;
    panel.style.top = `${isBelow ? bottom + GAP : top - height - GAP}px`;
    if (document.activeElement === button || document.activeElement === document.body)
      panel.querySelector<HTMLElement>("button, input")?.focus();
  };
  place();
  const sizes = new ResizeObserver(place);
  sizes.observe(panel);
  addEventListener("scroll", place, { passive: true });
  addEventListener("resize", place);
  return () => {
    sizes.disconnect();
    removeEventListener("scroll", place);
    removeEventListener("resize", place);
  };
}
