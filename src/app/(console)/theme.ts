import { type CSSVariablesResolver, createTheme, defaultVariantColorsResolver } from "@mantine/core";

/** The colours of the public pages (src/app/globals.css) as a Mantine theme. */
export const theme = createTheme({
  primaryColor: "growth",
  primaryShade: { light: 7, dark: 3 },
  colors: {
    growth: [
      "#e8f8f1",
      "#cdeee0",
      "#7ee2b7",
      "#4fd39b",
      "#2fbd83",
      "#18a06c",
      "#0f8a5d",
      "#0a7350",
      "#075c40",
      "#04402c",
    ],
    gray: [
      "#f8faf9",
      "#f3f6f4",
      "#e9eeeb",
      "#dfe5e2",
      "#c3cec8",
      "#8b9691",
      "#4b5652",
      "#3a4640",
      "#28302c",
      "#101513",
    ],
    dark: [
      "#edf2ef",
      "#c9d2cd",
      "#a2aea8",
      "#7d8a83",
      "#28302c",
      "#1f2623",
      "#131816",
      "#0b0e0d",
      "#101412",
      "#080a09",
    ],
  },
  black: "#101513",
  fontFamily: "var(--sans)",
  fontFamilyMonospace: "var(--mono)",
  headings: { fontFamily: "var(--sans)", fontWeight: "650" },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  // Mantine picks one text colour on filled parts for both themes; our accent differs by theme.
  variantColorResolver(input) {
    const colors = defaultVariantColorsResolver(input);
    const isAccent = input.variant === "filled" && (input.color ?? "growth") === "growth";
    return isAccent ? { ...colors, color: "var(--mantine-primary-color-contrast)" } : colors;
  },
});

/** Variables that the theme's colours do not set. */
export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-primary-color-contrast": "#ffffff",
    "--mantine-color-body": "#fbfcfb",
    "--mantine-color-dimmed": "#4b5652",
    "--mantine-color-placeholder": "#6b7672",
    "--mantine-color-default-border": "#dfe5e2",
    "--mantine-color-error": "#b3261e",
    "--console-rise": "#0a7350",
    "--console-fall": "#b3261e",
  },
  dark: {
    "--mantine-primary-color-contrast": "#06140e",
    "--mantine-color-dimmed": "#a2aea8",
    "--mantine-color-placeholder": "#8f9b95",
    "--mantine-color-error": "#ff8a80",
    "--console-rise": "#4fd39b",
    "--console-fall": "#ff8a80",
  },
});
