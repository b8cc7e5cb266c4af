import { type CSSVariablesResolver, colorsTuple, createTheme, defaultVariantColorsResolver } from "@mantine/core";
import colors from "./theme-colors.json" with { type: "json" };

/** The tokens of src/app/globals.css as a Mantine theme. Buttons are ink; the accent marks what is chosen or linked. */
export const theme = createTheme({
  primaryColor: "ink",
  primaryShade: { light: 7, dark: 3 },
  colors: {
    ink: colorsTuple(colors.ink),
    accent: colorsTuple(colors.accent),
    gray: colorsTuple(colors.gray),
    dark: colorsTuple(colors.dark),
  },
  black: "#12151c",
  fontFamily: "var(--sans)",
  fontFamilyMonospace: "var(--mono)",
  headings: { fontFamily: "var(--sans)", fontWeight: "650" },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Checkbox: { defaultProps: { color: "accent" } },
    Switch: { defaultProps: { color: "accent" } },
  },
  // Mantine picks one text colour on filled parts for both themes; ours differ by theme.
  variantColorResolver(input) {
    const colors = defaultVariantColorsResolver(input);
    if (input.variant !== "filled") return colors;
    const color = input.color ?? "ink";
    if (color === "ink") return { ...colors, color: "var(--on-button)" };
    return color === "accent" ? { ...colors, color: "var(--bg)" } : colors;
  },
});

const TOKENS = {
  "--mantine-primary-color-contrast": "var(--on-button)",
  "--mantine-color-body": "var(--bg)",
  "--mantine-color-text": "var(--ink)",
  "--mantine-color-anchor": "var(--accent)",
  "--mantine-color-dimmed": "var(--soft)",
  "--mantine-color-placeholder": "var(--faint)",
  "--mantine-color-default": "var(--surface)",
  "--mantine-color-default-border": "var(--line-strong)",
  "--mantine-color-error": "var(--danger)",
};

/** Variables that the theme's colours do not set. Mantine has its own for each theme, so they are set for each. */
export const resolveVariables: CSSVariablesResolver = () => ({ variables: {}, light: TOKENS, dark: TOKENS });
