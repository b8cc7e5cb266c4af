import { ActionIcon } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy, type TablerIcon } from "@tabler/icons-react";
import { useEffect } from "react";
import { toast } from "../_client/toast";

/** Copies a text and confirms it visibly and to screen readers. @param label title and accessible name */
export function CopyAction({ text, label, Icon = IconCopy }: { text: string; label: string; Icon?: TablerIcon }) {
  const { copied, error, copy } = useClipboard();
  // Pages served over plain http have no clipboard.
  useEffect(() => {
    if (error) void toast(`This browser blocks copying. Copy it from here: ${text}`, "failed");
  }, [error, text]);
  const Shown = copied ? IconCheck : Icon;
  return (
    <ActionIcon variant="subtle" color="gray" size="md" title={label} onClick={() => copy(text)}>
      <Shown size={16} stroke={1.75} aria-hidden />
      <span className="visually-hidden">{label}</span>
      <span className="visually-hidden" aria-live="polite">
        {copied && "Copied"}
      </span>
    </ActionIcon>
  );
}
