"use client";

import { Button, Loader } from "@mantine/core";
import { useClickOutside } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { useRef, useState } from "react";
import type { ComparePickerProps } from "./compare-picker";
import styles from "./panel.module.css";

/** Loaded when it is first opened. */
const ComparePicker = dynamic(() => import("./compare-picker").then(({ ComparePicker }) => ComparePicker), {
  ssr: false,
  loading: () => <Loader size="sm" />,
});

/** Opens the choice of what a chart is compared with. */
export function CompareButton({ onPick, ...choice }: ComparePickerProps) {
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const box = useClickOutside<HTMLDivElement>(() => setIsOpen(false));
  const close = () => {
    setIsOpen(false);
    button.current?.focus();
  };
  return (
    <div ref={box}>
      <Button
        ref={button}
        variant="subtle"
        size="xs"
        leftSection={<IconPlus size={14} aria-hidden />}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        Compare
      </Button>
      {isOpen && (
        <div
          role="dialog"
          aria-label="Compare with"
          className={styles.picker}
          onKeyDown={({ key }) => key === "Escape" && close()}
        >
          <ComparePicker
            {...choice}
            onPick={(channelId) => {
              close();
              onPick(channelId);
            }}
          />
        </div>
      )}
    </div>
  );
}
