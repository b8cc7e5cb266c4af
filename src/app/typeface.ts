import localFont from "next/font/local";

/** Latin Geist. It loads with the document, or from the next page on if it is late, so that no text moves. */
export const geist = localFont({
  src: "../../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2",
  weight: "100 900",
  display: "optional",
  variable: "--geist",
  adjustFontFallback: false,
});
