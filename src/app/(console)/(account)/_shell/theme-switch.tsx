"use client";

import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import styles from "./shell.module.css";

export const THEMES: { value: MantineColorScheme; label: string }[] = [
  { value: "auto", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

/** Light, dark or system theme, stored in the browser. */
export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  // The server does not know the theme.
  const mounted = useMounted();
  return (
    <SegmentedControl
      aria-label="Theme"
      className={styles.theme}
      size="xs"
      fullWidth
      transitionDuration={0}
      data={THEMES}
      value={mounted ? colorScheme : "auto"}
      onChange={(value) => setColorScheme(value as MantineColorScheme)}
    />
  );
}
