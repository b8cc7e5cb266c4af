"use client";

import { ActionIcon } from "@mantine/core";
import { IconCheck, IconCopy, type TablerIcon } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { toast } from "../_client/toast";

const SHOWN_MS = 2000;

interface CopyActionProps {
  text: string;
  /** Title and accessible name, such as "Copy the request id". */
  label: string;
  Icon?: TablerIcon;
}

/** Copies a text and confirms it visibly and to screen readers. */
export function CopyAction({ text, label, Icon = IconCopy }: CopyActionProps) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setIsCopied(true);
    } catch {
      // Pages served over plain http have no clipboard.
      await toast(`This browser blocks copying. Copy it from here: ${text}`, "failed");
    }
  }

  const Shown = isCopied ? IconCheck : Icon;
  return (
    <ActionIcon variant="subtle" color="gray" size="md" title={label} onClick={copy}>
      <Shown size={16} stroke={1.75} aria-hidden />
      <span className="visually-hidden">{label}</span>
      <span className="visually-hidden" aria-live="polite">
        {isCopied && "Copied"}
      </span>
    </ActionIcon>
  );
}
