import {
  Checkbox,
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  Switch,
} from "@mantine/core";

/** The tokens of src/app/globals.css as a Mantine theme. Buttons are ink; the accent marks what is chosen or linked. */
export const theme = createTheme({
  primaryColor: "ink",
  primaryShade: { light: 7, dark: 3 },
  colors: {
    ink: [
      "#f2f3f6",
      "#e7e9ee",
      "#ffffff",
      "#eef0f5",
      "#aeb5c4",
      "#8b93a5",
      "#474e5d",
      "#161a23",
      "#2b313e",
      "#12151c",
    ],
    accent: [
      "#edf0ff",
      "#d9dfff",
      "#b9c3ff",
      "#98a6ff",
      "#7486f5",
      "#5468ea",
      "#4057df",
      "#3249d3",
      "#2739b0",
      "#1b2142",
    ],
    gray: [
      "#fafafb",
      "#f2f3f6",
      "#e7e9ee",
      "#e7e9ee",
      "#d2d6de",
      "#8b93a5",
      "#474e5d",
      "#363d4b",
      "#212632",
      "#12151c",
    ],
    dark: [
      "#eef0f5",
      "#cdd2dd",
      "#aeb5c4",
      "#8b93a5",
      "#212632",
      "#1c212c",
      "#11141b",
      "#0b0d12",
      "#0e1117",
      "#07080c",
    ],
  },
  black: "#12151c",
  fontFamily: "var(--sans)",
  fontFamilyMonospace: "var(--mono)",
  headings: { fontFamily: "var(--sans)", fontWeight: "650" },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Checkbox: Checkbox.extend({ defaultProps: { color: "accent" } }),
    Switch: Switch.extend({ defaultProps: { color: "accent" } }),
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
