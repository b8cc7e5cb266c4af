const SCRIPT = `try {
  const chosen = localStorage.getItem("mantine-color-scheme-value");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.mantineColorScheme = chosen;
} catch {}`;

/** Shows a page in the theme that the reader chose in the console, before the first paint. Else it follows the system. */
export function ThemeScript({ nonce }: { nonce: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant
  return <script nonce={nonce} dangerouslySetInnerHTML={{ __html: SCRIPT }} suppressHydrationWarning />;
}
